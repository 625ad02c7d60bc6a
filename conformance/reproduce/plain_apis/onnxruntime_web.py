"""ONNX Runtime Web under Node; NODE_PATH names the node_modules that it is installed in."""

#: import
import base64
import json
import os
import subprocess

PROGRAM = r"""
const ort = require("onnxruntime-web"), fs = require("node:fs"), path = require("node:path");
const arrays = {bool: Uint8Array, int8: Int8Array, int16: Int16Array, int32: Int32Array, int64: BigInt64Array,
  uint8: Uint8Array, uint16: Uint16Array, uint32: Uint32Array, uint64: BigUint64Array, float16: Uint16Array,
  float32: Float32Array, float64: Float64Array, int4: Uint8Array, uint4: Uint8Array};
ort.env.wasm.numThreads = 1;
let session;
async function load(model) {
  const folder = path.dirname(model);
  const names = fs.readdirSync(folder, {recursive: true}).filter((name) => !/[.](onnx|json|txt)$/.test(name));
  const files = names.filter((name) => fs.statSync(path.join(folder, name)).isFile());
  const externalData = files.map((name) => ({path: name, data: path.join(folder, name)}));
  session = await ort.InferenceSession.create(model, {externalData});
  return {version: ort.env.versions.web};
}
async function run(inputs) {
  const feeds = {};
  for (const {name, type, shape, data, strings} of inputs) {
    const bytes = Uint8Array.from(Buffer.from(data ?? "", "base64"));
    const texts = strings?.map((text) => Buffer.from(text, "base64").toString());
    feeds[name] = new ort.Tensor(type, texts ?? new arrays[type](bytes.buffer), shape);
  }
  const results = await session.run(feeds);
  return session.outputNames.map((name) => results[name]).map(({type, dims, data}) => type === "string"
    ? {type, shape: dims, strings: data.map((text) => Buffer.from(text).toString("base64"))}
    : {type, shape: dims, data: Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString("base64")});
}
require("node:readline").createInterface({input: process.stdin}).on("line", async (line) => {
  const {model, inputs} = JSON.parse(line);
  let reply;
  try {
    reply = {answer: model ? await load(model) : await run(inputs)};
  } catch (error) {
    reply = {error: `${error}`};
  }
  fs.writeSync(3, JSON.stringify(reply) + "\n");
});
"""


class Node:
    """A Node process with one model."""

    def __init__(self, path):
        answers, writing = os.pipe()
        command = ["node", "-e", PROGRAM]
        move = lambda: os.dup2(writing, 3)  # noqa: E731
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=2, preexec_fn=move, close_fds=False)
        os.close(writing)
        self.answers = os.fdopen(answers)
        self.version = self.ask(model=path)["version"]

    def ask(self, **question):
        """Ends as Node does where it dies."""
        self.process.stdin.write(json.dumps(question).encode() + b"\n")
        self.process.stdin.flush()
        line = self.answers.readline()
        if not line:
            code = self.process.wait()
            os.kill(os.getpid(), -code) if code < 0 else sys.exit(f"node ended with {code}")
        reply = json.loads(line)
        if "error" in reply:
            raise RuntimeError(reply["error"])
        return reply["answer"]

    def __del__(self):
        self.process.kill()
        self.process.wait()


#: plain
def load(path):
    return Node(path)


def passed(name, value):
    if isinstance(value, tuple) and value[0] == "string":
        texts = [base64.b64encode(text).decode() for text in value[2]]
        return {"name": name, "type": "string", "shape": value[1], "strings": texts}
    if not isinstance(value, np.ndarray):
        raise RuntimeError("the API takes tensors of the types of Tensor.DataTypeMap")
    data = base64.b64encode(value.tobytes()).decode()
    return {"name": name, "type": value.dtype.name, "shape": list(value.shape), "data": data}


def decoded(result):
    if result["type"] == "string":
        texts = [base64.b64decode(text) for text in result["strings"]]
        return "string", result["shape"], texts
    return np.frombuffer(base64.b64decode(result["data"]), result["type"]).reshape(result["shape"])


def run(node, feeds):
    return [decoded(result) for result in node.ask(inputs=[passed(*feed) for feed in feeds.items()])]
