// A complete adapter, for a runtime of a few lines whose models are text files: "negative" or "positive".
"use strict";

const fs = require("node:fs");
const { Adapter, serve, tensor } = require("ifcert_adapter");

/** The runtime: it flips the sign of a tensor of float32, or leaves any value alone. It likes to print. */
class SignRuntime {
  constructor(model) {
    if (model !== "negative" && model !== "positive") throw new Error(`unknown model: ${model}`);
    this.flip = model === "negative";
    console.log(`the model is ${model}`);
  }

  run(value) {
    if (!this.flip) return value;
    if (value.type !== "float32") throw new TypeError("only float32 has a sign here");
    return tensor("float32", value.shape, value.data.map((byte, at) => (at % 4 === 3 ? byte ^ 0x80 : byte)));
  }
}

/** Its models have one input and one output, y. */
class SignAdapter extends Adapter {
  describe() {
    return {
      adapter: "example",
      runtime: { name: "sign", version: "1", language: "JavaScript", home: "https://example.org" },
      formats: ["onnx"],
      computes: true,
      holds: true,
      unsupported_features: [],
    };
  }

  async load(path) {
    const text = fs.readFileSync(path, "utf8").trim(); // a file that cannot be read is not the runtime's fault
    this.model = await this.runtime(() => new SignRuntime(text));
    return [{ name: "y", type: null, shape: null }];
  }

  async hold(inputs) {
    const [input] = inputs.values();
    const result = await this.runtime(() => this.model.run(input));
    return () => [["y", result]];
  }
}

serve(new SignAdapter());
