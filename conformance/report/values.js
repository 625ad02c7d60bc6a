// Values of the adapter protocol (docs/protocol.md, "Values"): every element as text for people and as its bits.

const FLOATS = {
  // special: "ieee" has infinities and NaN; "fn" has one NaN pattern per sign; "fnuz" has one NaN, and no -0; "none" has none of them
  float16: { width: 16, mantissa: 10, bias: 15, special: "ieee" },
  bfloat16: { width: 16, mantissa: 7, bias: 127, special: "ieee" },
  float32: { width: 32, mantissa: 23, bias: 127, special: "ieee" },
  float64: { width: 64, mantissa: 52, bias: 1023, special: "ieee" },
  float8e4m3fn: { width: 8, mantissa: 3, bias: 7, special: "fn" },
  float8e4m3fnuz: { width: 8, mantissa: 3, bias: 8, special: "fnuz" },
  float8e5m2: { width: 8, mantissa: 2, bias: 15, special: "ieee" },
  float8e5m2fnuz: { width: 8, mantissa: 2, bias: 16, special: "fnuz" },
  float4e2m1: { width: 4, mantissa: 1, bias: 1, special: "none" },
};
const WIDTHS = { bool: 8, float8e8m0: 8, complex64: 64, complex128: 128 };

function widthOf(type) {
  if (Object.hasOwn(WIDTHS, type)) return WIDTHS[type];
  if (Object.hasOwn(FLOATS, type)) return FLOATS[type].width;
  const integer = /^u?int(2|4|8|16|32|64)$/.exec(type);
  return integer ? Number(integer[1]) : null;
}

function bytesOf(base64) {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}

// Little-endian, lowest bits first: the same order packs 4-bit and 2-bit elements into a byte.
function bitsAt(bytes, offset, width) {
  if (width < 8) return BigInt((bytes[offset >> 3] >> (offset & 7)) & ((1 << width) - 1));
  let bits = 0n;
  for (let i = width / 8 - 1; i >= 0; --i) bits = (bits << 8n) | BigInt(bytes[offset / 8 + i]);
  return bits;
}

function hex(bits, width) {
  return "0x" + bits.toString(16).padStart(Math.ceil(width / 4), "0");
}

// The shortest decimal text that still identifies this number among those of its type.
function shortest(number, round) {
  if (Object.is(number, -0)) return "-0";
  for (let digits = 1; digits < 17; ++digits) {
    const text = String(Number(number.toPrecision(digits)));
    if (round(Number(text)) === number) return text;
  }
  return String(number);
}

function isNaNPattern(bits, format, exponent, fraction, top) {
  if (format.special === "ieee") return exponent === top && fraction !== 0n;
  if (format.special === "fn") return exponent === top && fraction === (1n << BigInt(format.mantissa)) - 1n;
  if (format.special === "fnuz") return bits === 1n << BigInt(format.width - 1);
  return false;
}

function floatText(bits, format) {
  const mantissa = BigInt(format.mantissa);
  const top = (1n << BigInt(format.width - format.mantissa - 1)) - 1n;
  const exponent = (bits >> mantissa) & top;
  const fraction = bits & ((1n << mantissa) - 1n);
  if (isNaNPattern(bits, format, exponent, fraction, top)) return "NaN";
  const sign = bits >> BigInt(format.width - 1) ? -1 : 1;
  if (format.special === "ieee" && exponent === top) return sign < 0 ? "-Infinity" : "Infinity";
  const scale = Number(exponent === 0n ? 1n : exponent) - format.bias;
  const significand = Number(fraction) / 2 ** format.mantissa + (exponent === 0n ? 0 : 1);
  const number = sign * significand * 2 ** scale;
  return shortest(number, format.width === 32 ? Math.fround : (other) => other);
}

function elementText(bits, type) {
  if (type === "bool") return bits === 0n ? "false" : bits === 1n ? "true" : `true (${hex(bits, 8)})`;
  if (type === "float8e8m0") return bits === 255n ? "NaN" : String(2 ** (Number(bits) - 127));
  if (Object.hasOwn(FLOATS, type)) return floatText(bits, FLOATS[type]);
  if (type.startsWith("complex")) {
    const [part, half] = type === "complex64" ? ["float32", 32n] : ["float64", 64n];
    const parts = [bits & ((1n << half) - 1n), bits >> half].map((each) => floatText(each, FLOATS[part]));
    return `(${parts[0]}, ${parts[1]}i)`;
  }
  return String(type.startsWith("u") ? bits : BigInt.asIntN(widthOf(type), bits));
}

function stringElement(base64) {
  const bytes = bytesOf(base64);
  const bits = "0x" + [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  try {
    return { text: JSON.stringify(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)), bits };
  } catch {
    return { text: `bytes ${bits}`, bits };
  }
}

// {elements: [{text, bits}], note}: the note explains a mismatch of data and shape. Throws where it is not a tensor.
function tensorElements(tensor) {
  const expected = tensor.shape.reduce((product, dim) => product * dim, 1);
  if (tensor.type === "string") {
    const elements = tensor.strings.map(stringElement);
    return { elements, note: elements.length === expected ? "" : `${elements.length} strings; the shape requires ${expected}` };
  }
  const width = widthOf(tensor.type);
  if (width === null) throw new Error(`unknown element type ${tensor.type}`);
  const bytes = bytesOf(tensor.data);
  const count = Math.min(expected, Math.floor((bytes.length * 8) / width));
  const elements = [];
  for (let i = 0; i < count; ++i) {
    const bits = bitsAt(bytes, i * width, width);
    elements.push({ text: elementText(bits, tensor.type), bits: hex(bits, width) });
  }
  const wanted = Math.ceil((expected * width) / 8);
  return { elements, note: bytes.length === wanted ? "" : `${bytes.length} bytes of data; the shape requires ${wanted}` };
}
