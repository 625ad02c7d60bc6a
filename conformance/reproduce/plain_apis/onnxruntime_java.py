"""ONNX Runtime for Java; CLASSPATH names its jar."""

#: import
import base64
import os
import subprocess
import tempfile

PROGRAM = r"""
import ai.onnxruntime.*;
import java.io.*;
import java.nio.*;
import java.util.*;

public class Plain {
  static final OrtEnvironment environment = OrtEnvironment.getEnvironment();
  static OrtSession session;

  static byte[] bytes(String text) { return Base64.getDecoder().decode(text); }

  static String text(byte[] bytes) { return Base64.getEncoder().encodeToString(bytes); }

  // model, or name, type, shape and bytes of each input, or its texts separated by commas
  static String answer(String[] words) throws Exception {
    if (words[0].equals("load")) {
      session = environment.createSession(new String(bytes(words[1]), "UTF-8"));
      return "loaded " + environment.getVersion();
    }
    Map<String, OnnxTensor> feeds = new LinkedHashMap<>();
    for (int at = 1; at + 4 <= words.length; at += 4) {
      String sizes = words[at + 2];
      long[] shape =
          sizes.equals("-") ? new long[0] : Arrays.stream(sizes.split(",")).mapToLong(Long::parseLong).toArray();
      OnnxTensor tensor;
      if (words[at + 1].equals("STRING")) {
        List<String> texts = new ArrayList<>();
        for (String each : words[at + 3].split(","))
          if (!each.equals("-")) texts.add(new String(bytes(each.substring(1)), "UTF-8"));
        tensor = OnnxTensor.createTensor(environment, texts.toArray(String[]::new), shape);
      } else {
        byte[] data = words[at + 3].equals("-") ? new byte[0] : bytes(words[at + 3]);
        ByteBuffer buffer = ByteBuffer.allocateDirect(data.length).order(ByteOrder.nativeOrder());
        buffer.put(data).rewind();
        tensor = OnnxTensor.createTensor(environment, buffer, shape, OnnxJavaType.valueOf(words[at + 1]));
      }
      feeds.put(new String(bytes(words[at]), "UTF-8"), tensor);
    }
    StringBuilder reply = new StringBuilder("returned");
    for (var each : session.run(feeds)) reply.append(' ').append(encoded(each.getValue()));
    return reply.toString();
  }

  static String encoded(OnnxValue value) throws Exception {
    if (value instanceof OnnxSequence sequence) {
      StringBuilder items = new StringBuilder("( ");
      for (OnnxValue each : sequence.getValue()) items.append(encoded(each)).append(' ');
      return items.append(")").toString();
    }
    OnnxTensor tensor = (OnnxTensor) value;
    String type = tensor.getInfo().onnxType.name().replace("ONNX_TENSOR_ELEMENT_DATA_TYPE_", "").toLowerCase();
    StringJoiner shape = new StringJoiner(",", "", "").setEmptyValue("-");
    for (long size : tensor.getInfo().getShape()) shape.add("" + size);
    StringJoiner data = new StringJoiner(",").setEmptyValue("-");
    if (type.equals("string")) collect(tensor.getValue(), data);
    else {
      ByteBuffer buffer = tensor.getByteBuffer();
      byte[] copy = new byte[buffer.remaining()];
      buffer.get(copy);
      if (copy.length > 0) data.add(text(copy));
    }
    return type + " " + shape + " " + data;
  }

  static void collect(Object texts, StringJoiner data) throws Exception {
    if (texts instanceof Object[] array) for (Object each : array) collect(each, data);
    else data.add("=" + text(((String) texts).getBytes("UTF-8")));
  }

  public static void main(String[] arguments) throws Exception {
    var answers = new PrintStream(new FileOutputStream("/dev/fd/" + arguments[0]), true);
    var questions = new BufferedReader(new InputStreamReader(System.in));
    for (String line; (line = questions.readLine()) != null;) {
      String reply;
      try {
        reply = answer(line.split(" "));
      } catch (Exception error) {
        reply = "refused " + text(error.toString().getBytes("UTF-8"));
      }
      answers.println(reply);
    }
  }
}
"""

THEIRS = {"float32": "FLOAT", "float64": "DOUBLE", "string": "STRING"}
OURS = {"float": "float32", "double": "float64"}


class Java:
    """A Java process with one model."""

    def __init__(self, path):
        self.folder = tempfile.TemporaryDirectory()  # Java copies the runtime's library there
        source = os.path.join(self.folder.name, "Plain.java")
        with open(source, "w") as file:
            file.write(PROGRAM)
        answers, writing = os.pipe()
        options = [f"-Djava.io.tmpdir={self.folder.name}", f"-XX:ErrorFile={source}.crash"]
        command = ["java", *options, source, str(writing)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=2, pass_fds=[writing])
        os.close(writing)
        self.answers = os.fdopen(answers)
        self.version = self.ask("load", encoded(path.encode()))[0]

    def ask(self, *words):
        """Ends as Java does where it dies."""
        self.process.stdin.write(" ".join(words).encode() + b"\n")
        self.process.stdin.flush()
        kind, *reply = self.answers.readline().split() or [""]
        if kind == "":
            code = self.process.wait()
            self.folder.cleanup()
            os.kill(os.getpid(), -code) if code < 0 else sys.exit(f"java ended with {code}")
        if kind == "refused":
            raise RuntimeError(base64.b64decode(reply[0]).decode())
        return reply

    def __del__(self):
        self.process.kill()
        self.process.wait()
        self.folder.cleanup()


def encoded(data):
    return base64.b64encode(data).decode()


#: plain
def load(path):
    return Java(path)


def passed(name, value):
    if isinstance(value, tuple):
        kind, shape, data = value
        content = ",".join("=" + encoded(text) for text in data) if kind == "string" else encoded(data)
    elif isinstance(value, np.ndarray):
        kind, shape, content = value.dtype.name, list(value.shape), encoded(value.tobytes())
    else:
        raise RuntimeError("the API takes tensors only")
    return [encoded(name.encode()), THEIRS.get(kind, kind.upper()), ",".join(map(str, shape)) or "-", content or "-"]


def decoded(words):
    """Takes the next value off the words."""
    kind = words.pop(0)
    if kind == "(":
        items = []
        while words[0] != ")":
            items.append(decoded(words))
        words.pop(0)
        return items
    shape, data = words.pop(0), words.pop(0)
    kind = OURS.get(kind, kind)
    shape = [] if shape == "-" else [int(size) for size in shape.split(",")]
    if kind == "string":
        return kind, shape, [] if data == "-" else [base64.b64decode(text[1:]) for text in data.split(",")]
    content = b"" if data == "-" else base64.b64decode(data)
    return (kind, shape, content) if kind == "bfloat16" else np.frombuffer(content, kind).reshape(shape)


def run(java, feeds):
    words = java.ask("run", *[word for feed in feeds.items() for word in passed(*feed)])
    results = []
    while words:
        results.append(decoded(words))
    return results
