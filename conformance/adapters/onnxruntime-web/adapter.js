// ONNX Runtime Web under Node: its WebAssembly backend, one thread, which is all that Node has.
"use strict";

const fs = require("node:fs");
const path = require("node:path");
const { Adapter, Unsupported, serve, stringTensor, tensor } = require("ifcert_adapter");
const ort = require("onnxruntime-web");

const API = "https://onnxruntime.ai/docs/api/js";
const VERSIONS = "https://onnxruntime.ai/docs/reference/compatibility.html";

// The arrays that hold the elements of a tensor in the API, by type.
const ARRAYS = {
  bool: Uint8Array,
  int4: Uint8Array,
  int8: Int8Array,
  int16: Int16Array,
  int32: Int32Array,
  int64: BigInt64Array,
  uint4: Uint8Array,
  uint8: Uint8Array,
  uint16: Uint16Array,
  uint32: Uint32Array,
  uint64: BigUint64Array,
  float16: Uint16Array,
  float32: Float32Array,
  float64: Float64Array,
};

const COMPLEX = ["complex64", "complex128"];
const NO_ARRAY = ["int2", "uint2", "float4e2m1", "bfloat16", "float8e4m3fn", "float8e4m3fnuz", "float8e5m2",
                  "float8e5m2fnuz", "float8e8m0"];
const ALL = [...Object.keys(ARRAYS), "string", ...NO_ARRAY];

// Its messages about unsupported features under a status that refusals have too.
const LACKS =
  /MLDataType for: \S+ is not currently registered or supported|Unsupported model IR version: 14, max supported.*|Unhandled TensorProto_DataType \(24\)|unsupported data type: \d+/;

const NO_COMPLEX = "ONNXTensorElementDataType: 'Currently, Ort doesn't support complex64, complex128'";
const NO_OPSET = "the runtime itself: 'Current official support for domain ai.onnx is till opset 26'";
const ONLY_TENSORS = "OnnxValue: 'currently not support non-tensor'";
const NO_ELEMENT = "Tensor.DataTypeMap has no such element type";

const UNSUPPORTED_FEATURES = [
  ...COMPLEX.map((type) => [`type:${type}`, NO_COMPLEX, "https://onnxruntime.ai/docs/api/c/group___global.html"]),
  ...[27, 28].map((number) => [`opset:${number}`, NO_OPSET, VERSIONS]),
  ...NO_ARRAY.map((type) => [`value:tensor(${type})`, NO_ELEMENT, `${API}/interfaces/Tensor.DataTypeMap.html`]),
  ...ALL.flatMap((type) =>
    [`seq(tensor(${type}))`, `optional(tensor(${type}))`, `optional(seq(tensor(${type})))`].map((kind) =>
      [`value:${kind}`, ONLY_TENSORS, `${API}/types/OnnxValue.html`])),
].map(([what, why, link]) => ({ what, why, link }));

class OnnxRuntimeWeb extends Adapter {
  #session;

  constructor() {
    super();
    ort.env.wasm.numThreads = 1;
  }

  describe() {
    return {
      adapter: "onnxruntime-web",
      runtime: {
        name: "ONNX Runtime Web",
        version: ort.env.versions.web,
        language: "C++ compiled to WebAssembly, under Node",
        home: "https://onnxruntime.ai/docs/get-started/with-javascript/web.html",
      },
      formats: ["onnx"],
      computes: true,
      threads: false,
      holds: true,
      unsupported_features: UNSUPPORTED_FEATURES,
    };
  }

  /** ONNX Runtime has a status for that; for some types and the newest IR version only the message states it. */
  notImplemented(error) {
    const message = String(error);
    return message.includes("ERROR_CODE: 9,") ? "NOT_IMPLEMENTED" : LACKS.exec(message)?.[0];
  }

  async load(model) {
    await this.unload();
    const options = { executionProviders: ["wasm"], externalData: dataBeside(model) };
    this.#session = await this.runtime(() => ort.InferenceSession.create(model, options));
    return this.#session.outputMetadata.map(declared);
  }

  async unload() {
    const session = this.#session;
    this.#session = undefined;
    if (session) await this.runtime(() => session.release());
  }

  async hold(inputs) {
    const feeds = {};
    for (const [name, value] of inputs) feeds[name] = await this.#feed(value);
    const results = await this.runtime(() => this.#session.run(feeds));
    const outputs = this.#session.outputMetadata;
    return () => outputs.map((output) => [output.name, read(results[output.name], output)]);
  }

  #feed(value) {
    if (value.kind !== "tensor") throw new Unsupported(`value:${typeOf(value)}`, ONLY_TENSORS);
    if (NO_ARRAY.includes(value.type)) throw new Unsupported(`value:${typeOf(value)}`, NO_ELEMENT);
    const elements =
      value.type === "string"
        ? value.strings.map((each) => each.toString())
        : new ARRAYS[value.type](Uint8Array.from(value.data).buffer);
    return this.runtime(() => new ort.Tensor(value.type, elements, value.shape));
  }
}

function typeOf(value) {
  if (value.kind === "tensor") return `tensor(${value.type})`;
  return value.kind === "sequence" ? `seq(${value.of})` : `optional(${value.of})`;
}

/** The API loads no external data by itself: every file of the model's folder is named. */
function dataBeside(model) {
  const folder = path.dirname(model);
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name))
    .filter((file) => file !== model)
    .map((file) => ({ path: path.relative(folder, file), data: file }));
}

/**
 * The runtime tells [] for a scalar and for an unknown shape, so [] means nothing. An unknown size is "", or, where
 * inference found that the rank is known and the size is not, -1 as an unsigned number.
 */
function declared(output) {
  if (!output.isTensor) return { name: output.name, type: null, shape: null };
  const shape = output.shape.map((dim) => (dim === "" || dim === 0xffffffff ? null : dim));
  return { name: output.name, type: `tensor(${output.type})`, shape: shape.length === 0 ? null : shape };
}

/** Where the model declares something else than a tensor and a tensor is returned, it is the value of an optional. */
function read(result, output) {
  if (!(result instanceof ort.Tensor)) return { kind: "other", is: String(result) };
  if (!output.isTensor) throw new Unsupported(`value:optional(tensor(${result.type}))`, ONLY_TENSORS);
  if (result.type === "string") return stringTensor(result.dims, result.data);
  const { buffer, byteOffset, byteLength } = result.data;
  return tensor(result.type, result.dims, new Uint8Array(buffer, byteOffset, byteLength));
}

serve(new OnnxRuntimeWeb());
