// An adapter all of whose methods are async, and which declares threads, which JavaScript cannot have. Its model is a
// text that says where it throws: in "load", "run" or "read"; "inside" the runtime's block that is a refusal. "lacks"
// and "not implemented" are what their runs answer.
"use strict";

const fs = require("node:fs");
const { Adapter, Unsupported, serve } = require("ifcert_adapter");

class FaultyAdapter extends Adapter {
  #fault;

  async #at(place) {
    if (this.#fault === place) throw new RangeError(place);
    await this.runtime(async () => {
      if (this.#fault === `inside ${place}`) throw new RangeError(place);
      if (this.#fault === "not implemented" && place === "run") throw new Error("not implemented");
    });
  }

  async describe() {
    return {
      adapter: "faulty",
      runtime: { name: "faults", version: "1", language: "JavaScript", home: "https://example.org" },
      formats: ["onnx"],
      computes: true,
      threads: true,
      holds: true,
      unsupported_features: [{ what: "value:tensor(int2)", why: "it is a test", link: "https://example.org" }],
    };
  }

  async notImplemented(error) {
    return error.message === "not implemented" ? "NOT_IMPLEMENTED" : undefined;
  }

  async load(path) {
    this.#fault = fs.readFileSync(path, "utf8").trim();
    await this.#at("load");
    return [{ name: "y", type: null, shape: null }];
  }

  async hold(inputs) {
    if (this.#fault === "lacks") throw new Unsupported("value:tensor(int2)", "it is a test");
    await this.#at("run");
    return async () => {
      await this.#at("read");
      return [...inputs];
    };
  }
}

serve(new FaultyAdapter());
