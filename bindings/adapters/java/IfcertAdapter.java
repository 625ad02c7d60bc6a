// The Java SDK for adapters: the processes between ifcert's runner and one runtime (docs/protocol.md). The JDK only.
// ExampleAdapter.java beside this file is a complete adapter.
//
// Java cannot move its standard output, so the command in adapter.json does it: the protocol is on descriptors 3 and 4.
//     ["sh", "-c", "exec \"$0\" \"$@\" 3<&0 4>&1 0</dev/null 1>&2", "{program:java}", "-cp", "…", "MyAdapter"]
//
// An Exception in the runtime is its refusal. An Error in it (an AssertionError, a StackOverflowError, …) ends the
// process, as it would end most users' programs, and the runner calls that a crash. Outside the runtime both are the
// adapter's own fault.
import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** One runtime. Put its calls, and nothing else, into runtime(…). */
public abstract class IfcertAdapter {
  private static final int MESSAGE_LIMIT = 4000; // of a refusal: some runtimes quote the whole model

  /** A value of the protocol: a Tensor, Sequence, Maybe or Other. */
  public sealed interface Value permits Tensor, Sequence, Maybe, Other {}

  /** The elements' little-endian bytes are in data; for strings each element's own bytes, and data is null. */
  public record Tensor(String type, long[] shape, byte[] data, byte[][] strings) implements Value {}

  /** `of` is the items' type, as tensor(float32); null where it is unknown. */
  public record Sequence(String of, List<Tensor> items) implements Value {}

  /** An optional; its value is a Tensor, a Sequence, or null where it is absent. */
  public record Maybe(String of, Value value) implements Value {}

  /** A value that the protocol cannot represent, described for the report. */
  public record Other(String is) implements Value {}

  /** An input or an output. */
  public record Named(String name, Value value) {}

  /** An output as the loaded model declares it. Dims are numbers, names or null; null stands for unknown. */
  public record Port(String name, String type, List<Object> shape) {}

  /** A feature that the runtime lacks, and the page of its own documentation that states it. */
  public record UnsupportedFeature(String what, String why, String link) {}

  /** The answer to hello. `threads`: run may be called by several threads at once. */
  public record Description(
      String adapter, String runtime, String version, String language, String home, boolean threads, boolean holds,
      List<UnsupportedFeature> unsupportedFeatures) {}

  /** The runtime's refusal: runtime(…) throws it. Any other exception is the adapter's own fault. */
  @SuppressWarnings("serial")
  public static final class Refused extends RuntimeException {
    public Refused(String message) {
      super(message);
    }
  }

  /** A feature that `unsupportedFeatures` declares, or, with a status of the runtime's own, anything else. */
  @SuppressWarnings("serial")
  public static final class Unsupported extends RuntimeException {
    final String what;
    final String status;

    public Unsupported(String what, String message, String status) {
      super(message);
      this.what = what;
      this.status = status;
    }
  }

  /** The version comes from the runtime itself. */
  public abstract Description describe();

  /** Loads the model, keeps it for run, and returns its outputs in order. */
  public abstract List<Port> load(String path, String format) throws Exception;

  /** Runs the loaded model; returns what reads every output, in order, from the runtime's own objects, repeatedly. */
  public abstract Supplier<List<Named>> run(Map<String, Value> inputs) throws Exception;

  /** Drops the loaded model and what its runs returned. */
  public void unload() throws Exception {}

  /** The runtime's own not-implemented status, where `error` is one; otherwise null. */
  public String notImplemented(Exception error) {
    return null;
  }

  private final AtomicLong spent = new AtomicLong(-1); // nanoseconds in the runtime for the present message

  /** Calls of the runtime: an Exception is its refusal, an Error its crash; their time is measured. */
  protected final <T> T runtime(Callable<T> calls) {
    long started = System.nanoTime();
    try {
      return calls.call();
    } catch (Exception error) {
      String message = error.getClass().getSimpleName() + ": " + error.getMessage();
      message = message.substring(0, Math.min(message.length(), MESSAGE_LIMIT));
      String status = notImplemented(error);
      throw status == null ? new Refused(message) : new Unsupported("runtime", message, status);
    } catch (Error error) {
      throw crash(error);
    } finally {
      long passed = System.nanoTime() - started;
      spent.accumulateAndGet(passed, (sum, more) -> Math.max(sum, 0) + more);
    }
  }

  /** Ends the process, from whichever thread and whatever other threads there are. */
  private static Error crash(Error error) {
    System.out.flush();
    System.err.print("Exception in thread \"" + Thread.currentThread().getName() + "\" ");
    error.printStackTrace();
    Runtime.getRuntime().halt(1);
    return error;
  }

  /** Answers the runner until it sends bye or is gone. */
  public static void serve(IfcertAdapter adapter) throws IOException {
    try (var requests = new BufferedReader(new InputStreamReader(new FileInputStream("/dev/fd/3"), StandardCharsets.UTF_8));
        var answers = new FileOutputStream("/dev/fd/4", true)) {
      Session session = new Session(adapter);
      for (String line = requests.readLine(); line != null; line = requests.readLine()) {
        Map<String, Object> request = Json.object(new Json(line).value());
        if (request.get("cmd").equals("bye")) break;
        send(answers, session.answer(request));
      }
    }
    System.exit(0); // threads of the runtime do not keep the process
  }

  private static void send(OutputStream answers, Map<String, Object> answer) throws IOException {
    StringBuilder text = new StringBuilder();
    Json.write(answer, text);
    System.out.flush();
    answers.write(text.append('\n').toString().getBytes(StandardCharsets.UTF_8));
  }

  /** One model, and the outputs that its runs hold, by the run's id. */
  private static final class Session {
    private final IfcertAdapter adapter;
    private final Map<Object, Supplier<List<Named>>> held = new HashMap<>();
    private boolean loaded;

    Session(IfcertAdapter adapter) {
      this.adapter = adapter;
    }

    Map<String, Object> answer(Map<String, Object> request) {
      if (request.get("cmd").equals("hello")) return Map.of("hello", Wire.description(adapter.describe()));
      adapter.spent.set(-1);
      Map<String, Object> answer = new LinkedHashMap<>();
      answer.put("id", request.get("id"));
      answer.putAll(outcome(() -> dispatch(request)));
      if (adapter.spent.get() >= 0) answer.put("runtime_ms", adapter.spent.get() / 1e6);
      return answer;
    }

    private Map<String, Object> outcome(Callable<Map<String, Object>> dispatch) {
      try {
        return dispatch.call();
      } catch (Refused refusal) {
        return Map.of("refused", Map.of("message", refusal.getMessage()));
      } catch (Unsupported lack) {
        return lack(lack);
      } catch (Throwable error) {
        error.printStackTrace();
        return Map.of("adapter_error", Map.of("message", error.toString()));
      }
    }

    /** An undeclared feature without a status is the adapter's own mistake: it would turn a failure into an excuse. */
    private Map<String, Object> lack(Unsupported lack) {
      Map<String, Object> answer = new LinkedHashMap<>(Map.of("what", lack.what, "message", lack.getMessage()));
      if (lack.status != null) answer.put("status", lack.status);
      var features = adapter.describe().unsupportedFeatures();
      boolean declared = features.stream().anyMatch(each -> each.what().equals(lack.what));
      if (lack.status != null || declared) return Map.of("unsupported", answer);
      String message = "'" + lack.what + "' is unsupported, but hello did not declare it: " + lack.getMessage();
      return Map.of("adapter_error", Map.of("message", message));
    }

    private Map<String, Object> dispatch(Map<String, Object> request) throws Exception {
      String command = (String) request.get("cmd");
      if (command.equals("load") || command.equals("unload")) {
        held.clear();
        loaded = false;
      }
      if (command.equals("unload")) {
        adapter.unload();
        return Map.of("unloaded", Map.of());
      }
      if (command.equals("load")) {
        List<Port> ports = adapter.load((String) request.get("model"), (String) request.get("format"));
        loaded = true;
        return Map.of("loaded", Map.of("outputs", ports.stream().map(Wire::port).toList()));
      }
      if (!loaded) return Map.of("skipped", Map.of());
      return switch (command) {
        case "run" -> run(request);
        case "reread" -> Wire.outputs(held.get(request.get("held")).get());
        case "concurrent" -> concurrent(Json.list(request.get("runs")));
        default -> throw new IllegalArgumentException("the protocol has no command " + command);
      };
    }

    private Map<String, Object> run(Map<String, Object> request) throws Exception {
      boolean holds = Boolean.TRUE.equals(request.get("hold"));
      if (holds) held.put(request.get("id"), () -> { throw new Refused("its run returned no outputs to hold"); });
      Supplier<List<Named>> read = adapter.run(Wire.inputs(request));
      Map<String, Object> outputs = Wire.outputs(read.get());
      if (holds) held.put(request.get("id"), read);
      return outputs;
    }

    /** A thread for each run; none starts before all are ready. */
    private Map<String, Object> concurrent(List<Object> runs) throws InterruptedException {
      List<Map<String, Object>> outcomes = new ArrayList<>();
      List<Thread> threads = new ArrayList<>();
      CountDownLatch start = new CountDownLatch(1);
      for (Object each : runs) {
        Map<String, Object> outcome = new LinkedHashMap<>();
        outcomes.add(outcome);
        threads.add(new Thread(() -> outcome.putAll(outcome(() -> {
          start.await();
          return run(Json.object(each));
        }))));
      }
      threads.forEach(Thread::start);
      long started = System.nanoTime();
      start.countDown();
      for (Thread thread : threads) thread.join();
      adapter.spent.set(System.nanoTime() - started);
      for (Map<String, Object> outcome : outcomes) if (outcome.containsKey("adapter_error")) return outcome;
      return Map.of("runs", outcomes);
    }
  }

  /** The protocol's objects. */
  private static final class Wire {
    static Map<String, Object> description(Description own) {
      Map<String, Object> runtime = new LinkedHashMap<>();
      runtime.put("name", own.runtime());
      runtime.put("version", own.version());
      runtime.put("language", own.language());
      runtime.put("home", own.home());
      List<Map<String, Object>> features = new ArrayList<>();
      for (UnsupportedFeature each : own.unsupportedFeatures())
        features.add(Map.of("what", each.what(), "why", each.why(), "link", each.link()));
      return Map.of("protocol", 1, "adapter", own.adapter(), "runtime", runtime, "formats", List.of("onnx"), "computes",
          true, "threads", own.threads(), "holds", own.holds(), "unsupported_features", features);
    }

    static Map<String, Object> port(Port own) {
      Map<String, Object> port = new LinkedHashMap<>();
      port.put("name", own.name());
      port.put("type", own.type());
      port.put("shape", own.shape());
      return port;
    }

    static Map<String, Value> inputs(Map<String, Object> run) {
      Map<String, Value> inputs = new LinkedHashMap<>();
      for (Object each : Json.list(run.get("inputs"))) {
        Map<String, Object> input = Json.object(each);
        inputs.put((String) input.get("name"), decode(Json.object(input.get("value"))));
      }
      return inputs;
    }

    static Map<String, Object> outputs(List<Named> own) {
      List<Object> outputs = new ArrayList<>();
      for (Named each : own) outputs.add(Map.of("name", each.name(), "value", encode(each.value())));
      return Map.of("outputs", outputs);
    }

    private static Value decode(Map<String, Object> value) {
      String of = (String) value.get("of");
      switch ((String) value.get("kind")) {
        case "sequence":
          return new Sequence(of,
              Json.list(value.get("items")).stream().map(item -> (Tensor) decode(Json.object(item))).toList());
        case "optional":
          return new Maybe(of, value.containsKey("absent") ? null : decode(Json.object(value.get("value"))));
        default:
          String type = (String) value.get("type");
          long[] shape = Json.list(value.get("shape")).stream().mapToLong(dim -> (Long) dim).toArray();
          if (!type.equals("string")) return new Tensor(type, shape, bytes(value.get("data")), null);
          return new Tensor(type, shape, null,
              Json.list(value.get("strings")).stream().map(Wire::bytes).toArray(byte[][]::new));
      }
    }

    private static byte[] bytes(Object text) {
      return Base64.getDecoder().decode((String) text);
    }

    private static Map<String, Object> encode(Value value) {
      Map<String, Object> wire = new LinkedHashMap<>();
      if (value instanceof Tensor tensor) {
        wire.putAll(Map.of("kind", "tensor", "type", tensor.type(), "shape", tensor.shape()));
        if (tensor.data() != null) wire.put("data", tensor.data());
        else wire.put("strings", List.of((Object[]) tensor.strings()));
      } else if (value instanceof Sequence sequence) {
        wire.put("kind", "sequence");
        wire.put("of", sequence.of());
        wire.put("items", sequence.items().stream().map(Wire::encode).toList());
      } else if (value instanceof Maybe maybe) {
        wire.put("kind", "optional");
        wire.put("of", maybe.of());
        wire.put(maybe.value() == null ? "absent" : "value", maybe.value() == null ? true : encode(maybe.value()));
      } else {
        wire.putAll(Map.of("kind", "other", "is", ((Other) value).is()));
      }
      return wire;
    }
  }

  /** As much of JSON as the protocol needs; bytes are written as base64. */
  private static final class Json {
    private final String text;
    private int at;

    Json(String text) {
      this.text = text;
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> object(Object value) {
      return (Map<String, Object>) value;
    }

    @SuppressWarnings("unchecked")
    static List<Object> list(Object value) {
      return (List<Object>) value;
    }

    Object value() {
      skipSpace();
      switch (text.charAt(at)) {
        case '{':
          Map<String, Object> object = new LinkedHashMap<>();
          for (at++; next() != '}'; skipComma()) {
            String name = string();
            expect(':');
            object.put(name, value());
          }
          at++;
          return object;
        case '[':
          List<Object> list = new ArrayList<>();
          for (at++; next() != ']'; skipComma()) list.add(value());
          at++;
          return list;
        case '"':
          return string();
        default:
          return word();
      }
    }

    private char next() {
      skipSpace();
      return text.charAt(at);
    }

    private void skipSpace() {
      while (at < text.length() && Character.isWhitespace(text.charAt(at))) at++;
    }

    private void skipComma() {
      if (next() == ',') at++;
    }

    private void expect(char sign) {
      if (next() != sign) throw new IllegalArgumentException("no JSON: " + text);
      at++;
    }

    private Object word() {
      int from = at;
      while (at < text.length() && ",]} \t".indexOf(text.charAt(at)) < 0) at++;
      String word = text.substring(from, at);
      return switch (word) {
        case "true" -> true;
        case "false" -> false;
        case "null" -> null;
        default -> Long.parseLong(word);
      };
    }

    private String string() {
      expect('"');
      StringBuilder string = new StringBuilder();
      for (; text.charAt(at) != '"'; at++) {
        if (text.charAt(at) == '\\') string.append(escaped());
        else string.append(text.charAt(at));
      }
      at++;
      return string.toString();
    }

    private char escaped() {
      char sign = text.charAt(++at);
      if (sign != 'u') return "\"\\/bfnrt".indexOf(sign) < 3 ? sign : "\b\f\n\r\t".charAt("bfnrt".indexOf(sign));
      at += 4;
      return (char) Integer.parseInt(text.substring(at - 3, at + 1), 16);
    }

    static void write(Object value, StringBuilder to) {
      if (value instanceof Map<?, ?> map) {
        writeAll('{', map.entrySet(), '}', to);
      } else if (value instanceof Map.Entry<?, ?> member) {
        write(member.getKey(), to);
        to.append(':');
        write(member.getValue(), to);
      } else if (value instanceof Iterable<?> list) {
        writeAll('[', list, ']', to);
      } else if (value instanceof long[] numbers) {
        to.append(java.util.Arrays.toString(numbers));
      } else if (value instanceof byte[] bytes) {
        to.append('"').append(Base64.getEncoder().encodeToString(bytes)).append('"');
      } else if (value instanceof String string) {
        writeString(string, to);
      } else {
        to.append(value); // a number, a truth value or null
      }
    }

    private static void writeAll(char begin, Iterable<?> items, char end, StringBuilder to) {
      to.append(begin);
      String comma = "";
      for (Object item : items) {
        to.append(comma);
        write(item, to);
        comma = ",";
      }
      to.append(end);
    }

    private static void writeString(String string, StringBuilder to) {
      to.append('"');
      for (char sign : string.toCharArray()) {
        if (sign == '"' || sign == '\\') to.append('\\').append(sign);
        else if (sign < ' ' || Character.isSurrogate(sign)) to.append(String.format("\\u%04x", (int) sign));
        else to.append(sign);
      }
      to.append('"');
    }
  }
}
