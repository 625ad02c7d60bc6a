"""RTen, in a Rust program of a few lines that cargo builds (once, where CARGO_TARGET_DIR is set)."""

#: import

MANIFEST = """
[package]
name = "plain-rten"
version = "0.1.0"
edition = "2021"

[[bin]]
name = "plain"
path = "main.rs"

[dependencies]
rten = { version = "=0.27.0", features = ["all-ops"] }
rten-tensor = "=0.27.0"
base64 = "=0.22.1"
"""

PROGRAM = r"""
use base64::{engine::general_purpose::STANDARD, Engine};
use rten::{Model, ModelOptions, Value, ValueOrView};
use rten_tensor::{AsView, Layout, Tensor};
use std::io::{BufRead, Write};
use std::os::fd::FromRawFd;

fn bytes(text: &str) -> Vec<u8> {
    if text == "-" { vec![] } else { STANDARD.decode(text).unwrap() }
}

fn text(text: &str) -> String {
    String::from_utf8(bytes(text)).unwrap()
}

fn words(data: &[u8]) -> Vec<i32> {
    data.chunks_exact(4).map(|c| i32::from_le_bytes(c.try_into().unwrap())).collect()
}

fn floats(data: &[u8]) -> Vec<f32> {
    words(data).into_iter().map(|word| f32::from_bits(word as u32)).collect()
}

fn narrowed(data: &[u8]) -> Vec<i32> {
    data.chunks_exact(8).map(|c| i64::from_le_bytes(c.try_into().unwrap()) as i32).collect()
}

// RTen takes int32 for int64 and bool.
fn fed(kind: &str, shape: &[usize], data: &[u8]) -> Value {
    match kind {
        "float32" => Tensor::from_data(shape, floats(data)).into(),
        "int32" => Tensor::from_data(shape, words(data)).into(),
        "int64" => Tensor::from_data(shape, narrowed(data)).into(),
        "bool" => Tensor::from_data(shape, data.iter().map(|b| *b as i32).collect::<Vec<_>>()).into(),
        "int8" => Tensor::from_data(shape, data.iter().map(|b| *b as i8).collect::<Vec<_>>()).into(),
        "uint8" => Tensor::from_data(shape, data.to_vec()).into(),
        other => panic!("RTen has no {other}"),
    }
}

fn encoded(value: &Value) -> String {
    let (kind, shape, data): (&str, Vec<usize>, Vec<u8>) = match value {
        Value::FloatTensor(t) => ("float32", t.shape().to_vec(), t.iter().flat_map(|x| x.to_le_bytes()).collect()),
        Value::Int32Tensor(t) => ("int32", t.shape().to_vec(), t.iter().flat_map(|x| x.to_le_bytes()).collect()),
        Value::Int8Tensor(t) => ("int8", t.shape().to_vec(), t.iter().flat_map(|x| x.to_le_bytes()).collect()),
        Value::UInt8Tensor(t) => ("uint8", t.shape().to_vec(), t.iter().copied().collect()),
        Value::Sequence(items) => {
            let items: Vec<String> = (0..items.len()).map(|at| encoded(&items.at(at).unwrap().to_owned())).collect();
            return format!("( {} )", items.join(" "));
        }
        _ => panic!("a value of another kind"),
    };
    let shape = shape.iter().map(|d| d.to_string()).collect::<Vec<_>>().join(",");
    let dash = |s: String| if s.is_empty() { "-".to_string() } else { s };
    format!("{kind} {} {}", dash(shape), dash(STANDARD.encode(data)))
}

fn answer(model: &mut Option<Model>, line: &[&str]) -> Result<String, String> {
    if line[0] == "load" {
        *model = Some(ModelOptions::with_all_ops().load_file(text(line[1])).map_err(|e| e.to_string())?);
        return Ok("loaded 0.27.0".into());
    }
    let model = model.as_ref().unwrap();
    let mut feeds: Vec<(_, ValueOrView)> = vec![];
    for input in line[1..].chunks(4) {
        let shape: Vec<usize> = input[2].split(',').filter(|d| *d != "-").map(|d| d.parse().unwrap()).collect();
        let id = model.node_id(&text(input[0])).map_err(|e| e.to_string())?;
        feeds.push((id, fed(input[1], &shape, &bytes(input[3])).into()));
    }
    let results = model.run(feeds, model.output_ids(), None).map_err(|e| e.to_string())?;
    Ok(format!("returned {}", results.iter().map(encoded).collect::<Vec<_>>().join(" ")))
}

fn main() {
    let descriptor = std::env::args().nth(1).unwrap().parse().unwrap();
    let mut answers = unsafe { std::fs::File::from_raw_fd(descriptor) };
    let mut model = None;
    for line in std::io::stdin().lock().lines() {
        let line = line.unwrap();
        let reply = answer(&mut model, &line.split(' ').collect::<Vec<_>>());
        writeln!(answers, "{}", reply.unwrap_or_else(|e| format!("refused {}", STANDARD.encode(e)))).unwrap();
    }
}
"""

# A panic ends the program with this code. It passes arrays of numpy alone.
PANIC, PASSED_TYPES = 101, ()


def command(folder):
    folder = os.environ.get("CARGO_TARGET_DIR", folder)
    program = os.path.join(folder, "release", "plain")
    if not os.path.exists(program):
        with tempfile.TemporaryDirectory() as sources:
            write_files(sources, {"Cargo.toml": MANIFEST, "main.rs": PROGRAM})
            build = ["cargo", "build", "--release", "--quiet", "--target-dir", folder]
            subprocess.run(build, cwd=sources, check=True, stdout=2)
    return [program]
