import ai.onnxruntime.NodeInfo;
import ai.onnxruntime.OnnxJavaType;
import ai.onnxruntime.OnnxSequence;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OnnxValue;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.SequenceInfo;
import ai.onnxruntime.TensorInfo;
import ai.onnxruntime.TensorInfo.OnnxTensorType;
import ai.onnxruntime.ValueInfo;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** ONNX Runtime through its Java API: CPU, one thread. */
public final class OnnxRuntimeJava extends IfcertAdapter {
  private static final String API = "https://onnxruntime.ai/docs/api/java/ai/onnxruntime/";

  /** The element types of which the API can make a tensor. */
  private static final Map<String, OnnxJavaType> JAVA_TYPES = Map.ofEntries(
      Map.entry("bool", OnnxJavaType.BOOL), Map.entry("int8", OnnxJavaType.INT8),
      Map.entry("int16", OnnxJavaType.INT16), Map.entry("int32", OnnxJavaType.INT32),
      Map.entry("int64", OnnxJavaType.INT64), Map.entry("uint8", OnnxJavaType.UINT8),
      Map.entry("float16", OnnxJavaType.FLOAT16), Map.entry("bfloat16", OnnxJavaType.BFLOAT16),
      Map.entry("float32", OnnxJavaType.FLOAT), Map.entry("float64", OnnxJavaType.DOUBLE),
      Map.entry("string", OnnxJavaType.STRING));

  private static final List<String> ALL = List.of("bool", "int2", "int4", "int8", "int16", "int32", "int64", "uint2",
      "uint4", "uint8", "uint16", "uint32", "uint64", "float16", "bfloat16", "float32", "float64", "float8e4m3fn",
      "float8e4m3fnuz", "float8e5m2", "float8e5m2fnuz", "float8e8m0", "float4e2m1", "string");

  /** The element types of sequences that the API can read. */
  private static final List<String> IN_SEQUENCES = List.of("string", "int64", "float32", "float64");

  private static final String NO_ELEMENT = "OnnxJavaType has no such element type, so there is no tensor of it to pass";
  private static final String NO_INPUT = "OrtSession.run takes only tensors ('? extends OnnxTensorLike')";
  private static final String NO_SEQUENCE = "OnnxSequence: 'Supports … currently OnnxTensor<String>, <Long>, <Float>, "
      + "<Double>'";

  /** Its messages about unsupported features under a status that refusals have too. */
  private static final Pattern LACKS = Pattern.compile("MLDataType for: \\S+ is not currently registered or supported"
      + "|Unsupported model IR version: 14, max supported.*|Unsupported type in a sequence, found \\S+"
      + "|Unhandled TensorProto_DataType \\(24\\)");

  private final OrtEnvironment environment = OrtEnvironment.getEnvironment();
  private final List<OrtSession.Result> results = new ArrayList<>(); // which the session's end frees
  private OrtSession session;

  @Override
  public Description describe() {
    List<UnsupportedFeature> features = new ArrayList<>();
    String types = "ONNXTensorElementDataType: 'Currently, Ort doesn't support complex64, complex128'";
    for (String type : List.of("complex64", "complex128"))
      features.add(
          new UnsupportedFeature("type:" + type, types, "https://onnxruntime.ai/docs/api/c/group___global.html"));
    for (int opset : List.of(27, 28))
      features.add(new UnsupportedFeature("opset:" + opset,
          "the runtime itself: 'Current official support for domain ai.onnx is till opset 26'",
          "https://onnxruntime.ai/docs/reference/compatibility.html"));
    for (String type : ALL) {
      if (!JAVA_TYPES.containsKey(type))
        features.add(new UnsupportedFeature("value:tensor(" + type + ")", NO_ELEMENT, API + "OnnxJavaType.html"));
      String why = IN_SEQUENCES.contains(type) ? NO_INPUT : NO_SEQUENCE;
      String page = IN_SEQUENCES.contains(type) ? "OrtSession.html" : "OnnxSequence.html";
      features.add(new UnsupportedFeature("value:seq(tensor(" + type + "))", why, API + page));
      for (String kind : List.of("optional(tensor(" + type + "))", "optional(seq(tensor(" + type + ")))"))
        features.add(new UnsupportedFeature("value:" + kind, NO_INPUT, API + "OrtSession.html"));
    }
    return new Description("onnxruntime-java", "ONNX Runtime", environment.getVersion(), "C++ through Java",
        "https://onnxruntime.ai/docs/get-started/with-java.html", true, true, features);
  }

  /** ONNX Runtime has a status for that; for some types and the newest IR version only the message states it. */
  @Override
  public String notImplemented(Exception error) {
    if (error instanceof OrtException failure && failure.getCode() == OrtException.OrtErrorCode.ORT_NOT_IMPLEMENTED)
      return "ORT_NOT_IMPLEMENTED";
    Matcher lack = LACKS.matcher(String.valueOf(error.getMessage()));
    return lack.find() ? lack.group() : null;
  }

  @Override
  public List<Port> load(String path, String format) {
    unload();
    Map<String, NodeInfo> outputs = runtime(() -> {
      try (var options = new OrtSession.SessionOptions()) {
        options.setIntraOpNumThreads(1);
        options.setInterOpNumThreads(1);
        session = environment.createSession(path, options);
        return session.getOutputInfo();
      }
    });
    return outputs.values().stream().map(OnnxRuntimeJava::declared).toList();
  }

  @Override
  public void unload() {
    runtime(() -> {
      synchronized (results) {
        results.forEach(OrtSession.Result::close);
        results.clear();
      }
      if (session != null) session.close();
      session = null;
      return null;
    });
  }

  @Override
  public Supplier<List<Named>> run(Map<String, Value> inputs) {
    Map<String, OnnxTensor> feeds = new LinkedHashMap<>();
    inputs.forEach((name, value) -> {
      if (!(value instanceof Maybe optional) || optional.value() != null) feeds.put(name, feed(value));
      // An absent optional is passed by leaving it out.
    });
    OrtSession.Result result = runtime(() -> session.run(feeds));
    feeds.values().forEach(OnnxTensor::close);
    synchronized (results) {
      results.add(result);
    }
    return () -> {
      List<Named> outputs = new ArrayList<>();
      result.forEach(each -> outputs.add(new Named(each.getKey(), read(each.getValue()))));
      return outputs;
    };
  }

  private OnnxTensor feed(Value value) {
    if (!(value instanceof Tensor tensor)) throw new Unsupported("value:" + typeOf(value), NO_INPUT, null);
    OnnxJavaType type = JAVA_TYPES.get(tensor.type());
    if (type == null) throw new Unsupported("value:" + typeOf(value), NO_ELEMENT, null);
    if (type == OnnxJavaType.STRING) {
      String[] strings =
          Arrays.stream(tensor.strings()).map(each -> new String(each, StandardCharsets.UTF_8)).toArray(String[]::new);
      return runtime(() -> OnnxTensor.createTensor(environment, strings, tensor.shape()));
    }
    ByteBuffer bytes = ByteBuffer.allocateDirect(tensor.data().length).order(ByteOrder.nativeOrder());
    bytes.put(tensor.data()).rewind();
    return runtime(() -> OnnxTensor.createTensor(environment, bytes, tensor.shape(), type));
  }

  private static String typeOf(Value value) {
    if (value instanceof Tensor tensor) return "tensor(" + tensor.type() + ")";
    if (value instanceof Sequence sequence) return "seq(" + sequence.of() + ")";
    return "optional(" + ((Maybe) value).of() + ")";
  }

  /** The runtime tells [] for a scalar and for an unknown shape, so [] means nothing. */
  private static Port declared(NodeInfo output) {
    if (!(output.getInfo() instanceof TensorInfo tensor)) return new Port(output.getName(), null, null);
    String element = ours(tensor.onnxType);
    List<Object> shape = new ArrayList<>();
    for (int at = 0; at < tensor.getShape().length; at++) {
      String name = tensor.getDimensionNames()[at];
      shape.add(tensor.getShape()[at] >= 0 ? (Object) tensor.getShape()[at] : name.isEmpty() ? null : name);
    }
    return new Port(output.getName(), element == null ? null : "tensor(" + element + ")", shape.isEmpty() ? null : shape);
  }

  /** The protocol's name of an element type, null for those that it lacks. */
  private static String ours(OnnxTensorType type) {
    String name = type.name().replace("ONNX_TENSOR_ELEMENT_DATA_TYPE_", "").toLowerCase();
    String known = name.equals("float") ? "float32" : name.equals("double") ? "float64" : name;
    return ALL.contains(known) ? known : null;
  }

  private Value read(OnnxValue value) {
    if (value instanceof OnnxTensor tensor) return readTensor(tensor);
    if (value instanceof OnnxSequence sequence) return readSequence(sequence);
    return new Other(value.getInfo().toString());
  }

  private Value readTensor(OnnxTensor tensor) {
    String type = ours(tensor.getInfo().onnxType);
    long[] shape = tensor.getInfo().getShape();
    if (type == null) return new Other(tensor.getInfo().toString());
    if (tensor.getInfo().type == OnnxJavaType.STRING) {
      List<byte[]> strings = new ArrayList<>();
      collect(runtime(tensor::getValue), strings);
      return new Tensor(type, shape, null, strings.toArray(byte[][]::new));
    }
    ByteBuffer bytes = runtime(tensor::getByteBuffer);
    if (bytes == null) throw new Unsupported("value:tensor(" + type + ")", NO_ELEMENT, null);
    byte[] data = new byte[bytes.remaining()];
    bytes.get(data);
    return new Tensor(type, shape, data, null);
  }

  /** A scalar is a String; otherwise arrays of arrays of them. */
  private static void collect(Object strings, List<byte[]> to) {
    if (strings instanceof Object[] array) for (Object each : array) collect(each, to);
    else to.add(((String) strings).getBytes(StandardCharsets.UTF_8));
  }

  private Value readSequence(OnnxSequence sequence) {
    SequenceInfo info = sequence.getInfo();
    List<Tensor> items = new ArrayList<>();
    for (OnnxValue each : runtime(sequence::getValue)) {
      try (OnnxValue item = each) {
        if (!(item instanceof OnnxTensor tensor)) return new Other(info.toString());
        items.add((Tensor) readTensor(tensor));
      }
    }
    return new Sequence(items.isEmpty() ? null : "tensor(" + items.get(0).type() + ")", items);
  }

  public static void main(String[] arguments) throws Exception {
    serve(new OnnxRuntimeJava());
  }
}
