// An adapter whose model is a text that says where it throws an Error: in "load", "run" or "read", "inside" the
// runtime's block or outside it. Any other model computes its inputs.
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

public final class FaultyAdapter extends IfcertAdapter {
  private String fault = "";

  private Void throwAt(String place) {
    if (fault.equals(place)) throw new AssertionError("index " + place);
    return null;
  }

  /** Both kinds of the place. */
  private void at(String place) {
    throwAt(place);
    runtime(() -> throwAt("inside " + place));
  }

  @Override
  public Description describe() {
    return new Description("faulty", "faults", "1", "Java", "https://example.org", true, true, List.of());
  }

  @Override
  public List<Port> load(String path, String format) throws Exception {
    fault = Files.readString(Path.of(path)).trim();
    at("load");
    return List.of(new Port("y", null, null));
  }

  @Override
  public Supplier<List<Named>> run(Map<String, Value> inputs) {
    at("run");
    return () -> {
      at("read");
      List<Named> outputs = new ArrayList<>();
      inputs.forEach((name, value) -> outputs.add(new Named(name, value)));
      return outputs;
    };
  }

  public static void main(String[] arguments) throws Exception {
    Thread keepsTheProcess = new Thread(() -> {
      try {
        Thread.sleep(Long.MAX_VALUE);
      } catch (InterruptedException end) {
        Thread.currentThread().interrupt();
      }
    });
    keepsTheProcess.start();
    serve(new FaultyAdapter());
  }
}
