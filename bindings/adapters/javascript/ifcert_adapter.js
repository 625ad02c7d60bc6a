// The JavaScript SDK for adapters: the processes between ifcert's runner and one runtime (docs/protocol.md). Node's own
// modules only. example_adapter.js beside this file is a complete adapter.
//
// Node cannot move its standard output, so the command in adapter.json does it: the protocol is on descriptors 3 and 4.
//     ["sh", "-c", "exec \"$0\" \"$@\" 3<&0 4>&1 0</dev/null 1>&2", "{program:node}", "{adapter}/adapter.js"]
//
// A process has one thread that runs JavaScript, so there are no concurrent runs: hello always answers `threads` false.
//
// Values are the protocol's own objects, with bytes decoded: `data` is a Buffer, `strings` an array of Buffers.
"use strict";

const fs = require("node:fs");

const REQUESTS = 3;
const ANSWERS = 4;
const MESSAGE_LIMIT = 4000; // of a refusal: some runtimes quote the whole model

/** The adapter is at fault, not the runtime. Every other exception outside a runtime block is answered alike. */
class AdapterError extends Error {}

/** The runtime refused. `Adapter.runtime` throws it. */
class Refused extends Error {}

/** The runtime cannot do it: one of its `unsupported_features`, or anything where `status` is the runtime's own. */
class Unsupported extends Error {
  constructor(what, message, status) {
    super(message);
    this.what = what;
    this.status = status;
  }
}

/** One runtime. Its methods, and the function that `hold` returns, may be async. */
class Adapter {
  #spent; // milliseconds in the runtime blocks of the present message

  /** The answer to hello, without `protocol`: adapter, runtime {name, version, language, home}, formats, … */
  describe() {
    throw new AdapterError("there is no describe");
  }

  /** Loads the model, keeps it for `run`, and returns its outputs in order: {name, type, shape}, null for unknown. */
  load(_path, _format) {
    throw new AdapterError("there is no load");
  }

  /** Runs the loaded model on a Map of values by name; returns every output in order, as [name, value]. */
  async run(inputs) {
    return (await this.hold(inputs))();
  }

  /** Runs, and returns a function that reads the outputs from the runtime's own objects, now and again later. */
  hold(_inputs) {
    throw new AdapterError("there is no run");
  }

  /** Drops the loaded model. */
  unload() {}

  /** The runtime's own not-implemented status, where `error` is one; otherwise undefined. */
  notImplemented(_error) {
    return undefined;
  }

  /** Calls of the runtime and nothing else: what they throw is the runtime's refusal, and their time is measured. */
  async runtime(calls) {
    const started = performance.now();
    try {
      return await calls();
    } catch (error) {
      const message = String(error instanceof Error ? `${error.name}: ${error.message}` : error).slice(0, MESSAGE_LIMIT);
      const status = await this.notImplemented(error);
      throw status === undefined ? new Refused(message) : new Unsupported("runtime", message, status);
    } finally {
      this.#spent = (this.#spent ?? 0) + performance.now() - started;
    }
  }

  /** The time of the message that ends here. */
  takeTime() {
    const spent = this.#spent;
    this.#spent = undefined;
    return spent;
  }
}

/** A tensor of the protocol: a copy of the elements' little-endian bytes. */
function tensor(type, shape, bytes) {
  return { kind: "tensor", type, shape: [...shape], data: Buffer.from(bytes) };
}

/** A tensor of strings, each its own bytes or a text, which becomes UTF-8. */
function stringTensor(shape, strings) {
  return { kind: "tensor", type: "string", shape: [...shape], strings: strings.map((each) => Buffer.from(each)) };
}

function decode(value) {
  if (value.kind === "sequence") return { ...value, items: value.items.map(decode) };
  if (value.kind === "optional") return value.absent ? value : { ...value, value: decode(value.value) };
  if (value.type === "string") return { ...value, strings: value.strings.map((each) => Buffer.from(each, "base64")) };
  return { ...value, data: Buffer.from(value.data, "base64") };
}

function encode(value) {
  if (value.kind === "sequence") return { ...value, items: value.items.map(encode) };
  if (value.kind === "optional") return value.absent ? value : { ...value, value: encode(value.value) };
  if (value.kind === "other") return value;
  if (value.type === "string") return { ...value, strings: value.strings.map((each) => each.toString("base64")) };
  return { ...value, data: value.data.toString("base64") };
}

const encodeOutputs = (outputs) => ({ outputs: outputs.map(([name, value]) => ({ name, value: encode(value) })) });

/** The requests, one line each, until the runner is gone. */
function* requests() {
  const chunk = Buffer.alloc(1 << 16);
  let parts = [];
  for (;;) {
    const size = fs.readSync(REQUESTS, chunk);
    if (size === 0) return;
    let from = 0;
    for (let at; (at = chunk.subarray(0, size).indexOf(10, from)) >= 0; from = at + 1) {
      parts.push(Buffer.from(chunk.subarray(from, at)));
      yield JSON.parse(Buffer.concat(parts).toString());
      parts = [];
    }
    parts.push(Buffer.from(chunk.subarray(from, size)));
  }
}

function send(answer) {
  const line = Buffer.from(`${JSON.stringify(answer)}\n`);
  for (let at = 0; at < line.length; ) at += fs.writeSync(ANSWERS, line, at);
}

/** One model, and the outputs that its runs hold, by the run's id. */
class Session {
  #loaded = false;
  #held = new Map();

  constructor(adapter) {
    this.adapter = adapter;
  }

  async answer(request) {
    if (request.cmd === "hello")
      return { hello: { protocol: 1, ...(await this.adapter.describe()), threads: false } };
    const answer = { id: request.id, ...(await this.#outcome(request)) };
    const spent = this.adapter.takeTime();
    return spent === undefined ? answer : { ...answer, runtime_ms: Number(spent.toFixed(4)) };
  }

  async #outcome(request) {
    try {
      return await this.#dispatch(request);
    } catch (error) {
      if (error instanceof Refused) return { refused: { message: error.message } };
      if (error instanceof Unsupported) return await this.#lack(error);
      console.error(error);
      return { adapter_error: { message: String(error) } };
    }
  }

  /** An undeclared feature without a status is the adapter's own mistake: it would turn a failure into an excuse. */
  async #lack({ what, message, status }) {
    const { unsupported_features = [] } = await this.adapter.describe();
    if (status === undefined && !unsupported_features.some((each) => each.what === what))
      return { adapter_error: { message: `'${what}' is unsupported, but hello did not declare it: ${message}` } };
    return { unsupported: { what, message, ...(status === undefined ? {} : { status }) } };
  }

  async #dispatch(request) {
    if (request.cmd === "load" || request.cmd === "unload") {
      this.#held.clear();
      this.#loaded = false;
    }
    if (request.cmd === "unload") {
      await this.adapter.unload();
      return { unloaded: {} };
    }
    if (request.cmd === "load") {
      const outputs = await this.adapter.load(request.model, request.format);
      this.#loaded = true;
      return { loaded: { outputs } };
    }
    if (!this.#loaded) return { skipped: {} };
    if (request.cmd === "run") return this.#run(request);
    if (request.cmd === "reread" && this.#held.has(request.held))
      return encodeOutputs(await this.#held.get(request.held)());
    throw new AdapterError(`${request.cmd} of this kind is unknown here`);
  }

  async #run(request) {
    const inputs = new Map(request.inputs.map(({ name, value }) => [name, decode(value)]));
    if (!request.hold) return encodeOutputs(await this.adapter.run(inputs));
    this.#held.set(request.id, () => {
      throw new Refused("its run returned no outputs to hold");
    });
    const read = await this.adapter.hold(inputs);
    const outputs = encodeOutputs(await read());
    this.#held.set(request.id, read);
    return outputs;
  }
}

/** Answers the runner until it sends bye or is gone. */
async function serve(adapter) {
  const session = new Session(adapter);
  for (const request of requests()) {
    if (request.cmd === "bye") break;
    send(await session.answer(request));
  }
  process.exit(0); // threads of the runtime do not keep the process
}

module.exports = { Adapter, AdapterError, Refused, Unsupported, serve, stringTensor, tensor };
