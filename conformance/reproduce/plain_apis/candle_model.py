"""candle-onnx, in a Rust program of a few lines that cargo builds (once, where CARGO_TARGET_DIR is set)."""

#: import

MANIFEST = """
[package]
name = "plain-candle-onnx"
version = "0.1.0"
edition = "2021"

[[bin]]
name = "plain"
path = "main.rs"

[dependencies]
candle-core = "=0.11.1"
candle-onnx = "=0.11.1"
half = "=2.7.1"
base64 = "=0.22.1"
"""

PROGRAM = r"""
use base64::{engine::general_purpose::STANDARD, Engine};
use candle_core::{DType, Device, Result, Tensor, WithDType};
use candle_onnx::onnx::ModelProto;
use std::collections::HashMap;
use std::io::{BufRead, Write};
use std::os::fd::FromRawFd;

fn bytes(text: &str) -> Vec<u8> {
    if text == "-" { vec![] } else { STANDARD.decode(text).unwrap() }
}

fn text(text: &str) -> String {
    String::from_utf8(bytes(text)).unwrap()
}

// candle takes U8 for bool.
fn fed(kind: &str, shape: &[usize], data: &[u8]) -> Result<Tensor> {
    let dtype = match kind {
        "bool" | "uint8" => DType::U8,
        "uint32" => DType::U32,
        "int16" => DType::I16,
        "int32" => DType::I32,
        "int64" => DType::I64,
        "float16" => DType::F16,
        "float32" => DType::F32,
        "float64" => DType::F64,
        other => candle_core::bail!("candle has no {other}"),
    };
    Tensor::from_raw_buffer(data, dtype, shape, &Device::Cpu)
}

fn elements<T: WithDType, const N: usize>(tensor: &Tensor, of: fn(T) -> [u8; N]) -> Result<Vec<u8>> {
    Ok(tensor.flatten_all()?.to_vec1::<T>()?.into_iter().flat_map(of).collect())
}

fn encoded(tensor: &Tensor) -> Result<String> {
    let (kind, data) = match tensor.dtype() {
        DType::U8 => ("uint8", elements(tensor, |x: u8| x.to_le_bytes())?),
        DType::U32 => ("uint32", elements(tensor, |x: u32| x.to_le_bytes())?),
        DType::I16 => ("int16", elements(tensor, |x: i16| x.to_le_bytes())?),
        DType::I32 => ("int32", elements(tensor, |x: i32| x.to_le_bytes())?),
        DType::I64 => ("int64", elements(tensor, |x: i64| x.to_le_bytes())?),
        DType::F16 => ("float16", elements(tensor, |x: half::f16| x.to_le_bytes())?),
        DType::F32 => ("float32", elements(tensor, |x: f32| x.to_le_bytes())?),
        DType::F64 => ("float64", elements(tensor, |x: f64| x.to_le_bytes())?),
        other => candle_core::bail!("a tensor of {other:?}"),
    };
    let shape = tensor.dims().iter().map(|d| d.to_string()).collect::<Vec<_>>().join(",");
    let dash = |s: String| if s.is_empty() { "-".to_string() } else { s };
    Ok(format!("{kind} {} {}", dash(shape), dash(STANDARD.encode(data))))
}

fn version() -> &'static str {
    let lock = include_str!("Cargo.lock");
    lock.split("name = \"candle-onnx\"\nversion = \"").nth(1).unwrap().split('"').next().unwrap()
}

fn answer(model: &mut ModelProto, line: &[&str]) -> Result<String> {
    if line[0] == "load" {
        *model = candle_onnx::read_file(text(line[1]))?;
        return Ok(format!("loaded {}", version()));
    }
    let mut feeds = HashMap::new();
    for input in line[1..].chunks(4) {
        let shape: Vec<usize> = input[2].split(',').filter(|d| *d != "-").map(|d| d.parse().unwrap()).collect();
        feeds.insert(text(input[0]), fed(input[1], &shape, &bytes(input[3]))?);
    }
    let results = candle_onnx::simple_eval(model, feeds)?;
    let outputs = model.graph.iter().flat_map(|graph| &graph.output);
    let shown: Result<Vec<String>> = outputs.map(|output| encoded(&results[&output.name])).collect();
    Ok(format!("returned {}", shown?.join(" ")))
}

fn main() {
    let descriptor = std::env::args().nth(1).unwrap().parse().unwrap();
    let mut answers = unsafe { std::fs::File::from_raw_fd(descriptor) };
    let mut model = ModelProto::default();
    for line in std::io::stdin().lock().lines() {
        let line = line.unwrap();
        let reply = answer(&mut model, &line.split(' ').collect::<Vec<_>>());
        let reply = reply.unwrap_or_else(|error| format!("refused {}", STANDARD.encode(error.to_string())));
        writeln!(answers, "{reply}").unwrap();
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
