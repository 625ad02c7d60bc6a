"""ONNX Runtime for Java; CLASSPATH names its jar."""

#: import

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

  static String theirs(String type) {
    return type.equals("float32") ? "FLOAT" : type.equals("float64") ? "DOUBLE" : type.toUpperCase();
  }

  static String ours(String type) {
    return type.equals("FLOAT") ? "float32" : type.equals("DOUBLE") ? "float64" : type.toLowerCase();
  }

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
      if (words[at + 1].equals("string")) {
        List<String> texts = new ArrayList<>();
        for (String each : words[at + 3].split(","))
          if (!each.equals("-")) texts.add(new String(bytes(each.substring(1)), "UTF-8"));
        tensor = OnnxTensor.createTensor(environment, texts.toArray(String[]::new), shape);
      } else {
        byte[] data = words[at + 3].equals("-") ? new byte[0] : bytes(words[at + 3]);
        ByteBuffer buffer = ByteBuffer.allocateDirect(data.length).order(ByteOrder.nativeOrder());
        buffer.put(data).rewind();
        tensor = OnnxTensor.createTensor(environment, buffer, shape, OnnxJavaType.valueOf(theirs(words[at + 1])));
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
    String type = ours(tensor.getInfo().onnxType.name().replace("ONNX_TENSOR_ELEMENT_DATA_TYPE_", ""));
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

# It does not panic. Besides arrays of numpy it passes these.
PANIC, PASSED_TYPES = None, ("string", "bfloat16")


def command(folder):
    """Java copies the runtime's library into the folder."""
    source = os.path.join(folder, "Plain.java")
    write_files(folder, {"Plain.java": PROGRAM})
    return ["java", f"-Djava.io.tmpdir={folder}", f"-XX:ErrorFile={source}.crash", source]
