"""candle-onnx, in a Rust program of a few lines that cargo builds (once, where CARGO_TARGET_DIR is set)."""

#: import
import base64
import math
import os
import signal
import subprocess
import tempfile

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


def built():
    folder = os.environ.get("CARGO_TARGET_DIR") or tempfile.mkdtemp()
    program = os.path.join(folder, "release", "plain")
    if not os.path.exists(program):
        sources = tempfile.mkdtemp()
        for name, content in {"Cargo.toml": MANIFEST, "main.rs": PROGRAM}.items():
            with open(os.path.join(sources, name), "w") as file:
                file.write(content)
        command = ["cargo", "build", "--release", "--quiet", "--target-dir", folder]
        subprocess.run(command, cwd=sources, check=True, stdout=2)
    return program


class Program:
    """A process with one model."""

    def __init__(self, path):
        answers, writing = os.pipe()
        self.process = subprocess.Popen([built(), str(writing)], stdin=subprocess.PIPE, stdout=2, pass_fds=[writing])
        os.close(writing)
        self.answers = os.fdopen(answers)
        self.version = self.ask("load", encoded(path.encode()))[0]

    def ask(self, *words):
        """Ends as the program does where it dies."""
        self.process.stdin.write(" ".join(words).encode() + b"\n")
        self.process.stdin.flush()
        kind, *reply = self.answers.readline().split() or [""]
        if kind == "":
            code = self.process.wait()
            os.kill(os.getpid(), -code if code < 0 else signal.SIGABRT)  # a panic ends with an exit code
        if kind == "refused":
            raise RuntimeError(base64.b64decode(reply[0]).decode())
        return reply

    def __del__(self):
        self.process.kill()
        self.process.wait()


def encoded(data):
    return base64.b64encode(data).decode()


#: plain
def load(path):
    return Program(path)


def passed(name, value):
    if not isinstance(value, np.ndarray):
        raise RuntimeError("candle takes tensors alone")
    shape = ",".join(map(str, value.shape))
    return [encoded(name.encode()), value.dtype.name, shape or "-", encoded(value.tobytes()) or "-"]


def decoded(words):
    """Takes the next value off the words."""
    kind = words.pop(0)
    shape, data = words.pop(0), words.pop(0)
    shape = [] if shape == "-" else [int(size) for size in shape.split(",")]
    array = np.frombuffer(b"" if data == "-" else base64.b64decode(data), kind)
    return array.reshape(shape) if math.prod(shape) == array.size else (kind, shape, array.tobytes())


def run(program, feeds):
    words = program.ask("run", *[word for feed in feeds.items() for word in passed(*feed)])
    results = []
    while words:
        results.append(decoded(words))
    return results
