// A complete adapter, for a runtime of a few lines whose models are text files: "negative" or "positive".
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Its models have one input and one output, y. */
public final class ExampleAdapter extends IfcertAdapter {
  /** The runtime: it flips the sign of a tensor of float32, or leaves any value alone. It likes to print. */
  private static final class SignRuntime {
    private final boolean flip;

    SignRuntime(byte[] file) {
      String model = new String(file, StandardCharsets.UTF_8).trim();
      flip = model.equals("negative");
      if (!flip && !model.equals("positive")) throw new IllegalArgumentException("unknown model: " + model);
      System.out.println("the model is " + model);
    }

    Value run(Value value) {
      if (!flip) return value;
      if (!(value instanceof Tensor tensor) || !tensor.type().equals("float32"))
        throw new IllegalArgumentException("only float32 has a sign here");
      byte[] result = tensor.data().clone();
      for (int at = 3; at < result.length; at += 4) result[at] ^= (byte) 0x80;
      return new Tensor("float32", tensor.shape(), result, null);
    }
  }

  private SignRuntime model;

  @Override
  public Description describe() {
    return new Description("example", "sign", "1", "Java", "https://example.org", true, true, List.of());
  }

  @Override
  public List<Port> load(String path, String format) throws Exception {
    byte[] file = Files.readAllBytes(Path.of(path)); // a file that cannot be read is not the runtime's fault
    model = runtime(() -> new SignRuntime(file));
    return List.of(new Port("y", null, null));
  }

  @Override
  public Supplier<List<Named>> run(Map<String, Value> inputs) {
    Value result = runtime(() -> model.run(inputs.values().iterator().next()));
    return () -> List.of(new Named("y", result));
  }

  public static void main(String[] arguments) throws Exception {
    serve(new ExampleAdapter());
  }
}
