//! candle-onnx: `read_file` and `simple_eval`, which evaluates the file's graph itself, on one thread.
//!
//! candle has no bool: a bool is passed as U8, as candle-onnx's own `dtype` does, and an output that the model declares
//! with that type is answered as one that cannot be read.

mod ifcert_adapter;

use candle_core::{DType, Device, Tensor as CandleTensor, WithDType};
use candle_onnx::onnx::tensor_proto::DataType;
use candle_onnx::onnx::{type_proto, ModelProto, TypeProto};
use half::{bf16, f16};
use ifcert_adapter::{
    clipped, serve, Adapter, Clock, Description, Failure, Named, Outcome, Outputs, Port, Tensor, UnsupportedFeature,
    Value,
};
use std::collections::HashMap;
use std::panic::{catch_unwind, resume_unwind, AssertUnwindSafe};

const DTYPES: &str = "https://docs.rs/candle-core/0.11.1/candle_core/enum.DType.html";
const VALUES: &str = "https://docs.rs/candle-onnx/0.11.1/candle_onnx/eval/type.Value.html";

/// Element types of which there are no tensors in candle.
const LACKING: [&str; 14] = [
    "type:int2",
    "type:int4",
    "type:int8",
    "type:uint2",
    "type:uint4",
    "type:uint16",
    "type:uint64",
    "type:float8e4m3fnuz",
    "type:float8e5m2",
    "type:float8e5m2fnuz",
    "type:float4e2m1",
    "type:complex64",
    "type:complex128",
    "type:string",
];

const BOOL: &str = "value:tensor(bool)";

/// Operators of which `simple_eval` has no case, and which many vectors need.
const OPERATORS: &str = "https://docs.rs/candle-onnx/0.11.1/src/candle_onnx/eval.rs.html";
const NO_OPERATORS: [&str; 2] = ["operator:Loop", "operator:Scan"];

/// Its words for what it does not implement.
const LACKS: [&str; 19] = [
    "unsupported op_type",
    "unsupported 'value' data-type",
    "unsupported 'value' type",
    "unsupported data_type",
    "unsupported 'to' value",
    "unsupported 'mode' value",
    "unsupported dtype",
    "unsupported Range",
    "unsupported auto_pad",
    "unsupported rank",
    "unsupported input type",
    "unsupported number of inputs",
    "unsupported activation",
    "Unsupported ",
    "not supported",
    "only supports",
    "not currently support",
    "does not support",
    "only 2d",
];

/// Rust's words for code that is yet to be written, with which candle-onnx panics.
const UNWRITTEN: &str = "not yet implemented";

/// An output as the file declares it, since the evaluation tells nothing before it ends.
#[derive(Clone)]
struct Declared {
    name: String,
    is_bool: bool,
}

#[derive(Default)]
struct CandleOnnx {
    model: Option<ModelProto>,
}

impl Adapter for CandleOnnx {
    fn describe(&self) -> Description {
        let mut unsupported_features: Vec<UnsupportedFeature> = LACKING
            .map(|what| UnsupportedFeature(what, "DType does not list it", DTYPES))
            .into();
        unsupported_features.push(UnsupportedFeature(BOOL, "DType has no bool: candle's booleans are U8", DTYPES));
        unsupported_features
            .extend(NO_OPERATORS.map(|what| UnsupportedFeature(what, "simple_eval does not have it", OPERATORS)));
        for kind in ["kind:sequence", "kind:optional"] {
            unsupported_features.push(UnsupportedFeature(kind, "a Value is a Tensor", VALUES));
        }
        Description {
            adapter: "candle-onnx",
            runtime: "candle-onnx",
            version: version(),
            home: "https://github.com/huggingface/candle",
            holds: true,
            unsupported_features,
        }
    }

    fn load(&mut self, path: &str, clock: &mut Clock) -> Outcome<Vec<Port>> {
        self.model = None;
        let model = clock.judged(|| candle_onnx::read_file(path), judged)?;
        let ports = declared_outputs(&model).into_iter().map(|output| Port {
            name: output.name,
            element_type: None,
            shape: None,
        });
        let ports = ports.collect();
        self.model = Some(model);
        Ok(ports)
    }

    fn run(&mut self, inputs: Vec<Named>, clock: &mut Clock) -> Outcome<Outputs> {
        let model = self.model.as_ref().expect("the SDK skips runs without a model");
        let mut feeds = HashMap::new();
        for (name, value) in &inputs {
            feeds.insert(name.clone(), fed(value)?);
        }
        let results = evaluate(model, feeds, clock)?;
        let declared = declared_outputs(model);
        Ok(Box::new(move || {
            declared
                .iter()
                .map(|output| Ok((output.name.clone(), read(results.get(&output.name), output.is_bool)?)))
                .collect()
        }))
    }

    fn unload(&mut self) {
        self.model = None;
    }
}

/// The version of the crate that is linked.
fn version() -> String {
    let lock = include_str!("Cargo.lock");
    let entry = lock
        .split("name = \"candle-onnx\"\nversion = \"")
        .nth(1)
        .expect("the lock file has candle-onnx");
    entry.split('"').next().expect("a version").to_string()
}

/// A panic of `todo!` is a not-implemented status; any other one goes on, and ends the process.
fn evaluate(
    model: &ModelProto,
    feeds: HashMap<String, CandleTensor>,
    clock: &mut Clock,
) -> Outcome<HashMap<String, CandleTensor>> {
    let call = AssertUnwindSafe(|| candle_onnx::simple_eval(model, feeds).map_err(judged));
    clock.judged(
        || {
            catch_unwind(call).unwrap_or_else(|panic| match panic.downcast_ref::<String>() {
                Some(words) if words.starts_with(UNWRITTEN) => Err(unsupported(clipped(words), UNWRITTEN)),
                _ => resume_unwind(panic),
            })
        },
        |failure| failure,
    )
}

fn judged(error: candle_core::Error) -> Failure {
    let message = clipped(error);
    match LACKS.iter().find(|each| message.contains(*each)) {
        Some(status) => unsupported(message, status),
        None => Failure::Refused(message),
    }
}

fn unsupported(message: String, status: &str) -> Failure {
    Failure::Unsupported {
        what: "runtime".into(),
        message,
        status: Some(status.to_string()),
    }
}

fn declared_outputs(model: &ModelProto) -> Vec<Declared> {
    let outputs = model.graph.iter().flat_map(|graph| &graph.output);
    outputs
        .map(|output| Declared {
            name: output.name.clone(),
            is_bool: output.r#type.as_ref().is_some_and(is_bool),
        })
        .collect()
}

fn is_bool(declared: &TypeProto) -> bool {
    matches!(&declared.value, Some(type_proto::Value::TensorType(tensor)) if tensor.elem_type == DataType::Bool as i32)
}

fn fed(value: &Value) -> Outcome<CandleTensor> {
    let Value::Tensor(tensor) = value else {
        return Err(Failure::Adapter("hello declares that a Value is a Tensor".into()));
    };
    let dtype = match tensor.element_type.as_str() {
        "bool" | "uint8" => DType::U8,
        "uint32" => DType::U32,
        "int16" => DType::I16,
        "int32" => DType::I32,
        "int64" => DType::I64,
        "bfloat16" => DType::BF16,
        "float16" => DType::F16,
        "float32" => DType::F32,
        "float64" => DType::F64,
        "float8e4m3fn" => DType::F8E4M3,
        "float8e8m0" => DType::F8E8M0,
        other => {
            return Err(Failure::Adapter(format!(
                "hello declares that there are no tensors of {other}"
            )))
        }
    };
    CandleTensor::from_raw_buffer(&tensor.data, dtype, &tensor.shape, &Device::Cpu)
        .map_err(|error| Failure::Adapter(error.to_string()))
}

/// The value that the evaluation returned under a name; nothing is converted.
fn read(result: Option<&CandleTensor>, is_bool: bool) -> Outcome<Value> {
    let Some(tensor) = result else {
        return Ok(Value::Other("no value of that name".into()));
    };
    if is_bool && tensor.dtype() == DType::U8 {
        return Err(Failure::Unsupported {
            what: BOOL.into(),
            message: "candle holds it as U8".into(),
            status: None,
        });
    }
    let read = match tensor.dtype() {
        DType::U8 => ("uint8", bytes(tensor, |x: u8| x.to_le_bytes())),
        DType::U32 => ("uint32", bytes(tensor, |x: u32| x.to_le_bytes())),
        DType::I16 => ("int16", bytes(tensor, |x: i16| x.to_le_bytes())),
        DType::I32 => ("int32", bytes(tensor, |x: i32| x.to_le_bytes())),
        DType::I64 => ("int64", bytes(tensor, |x: i64| x.to_le_bytes())),
        DType::BF16 => ("bfloat16", bytes(tensor, |x: bf16| x.to_le_bytes())),
        DType::F16 => ("float16", bytes(tensor, |x: f16| x.to_le_bytes())),
        DType::F32 => ("float32", bytes(tensor, |x: f32| x.to_le_bytes())),
        DType::F64 => ("float64", bytes(tensor, |x: f64| x.to_le_bytes())),
        other => return Ok(Value::Other(format!("a tensor of {other:?}"))),
    };
    Ok(Value::Tensor(Tensor {
        element_type: read.0.into(),
        shape: tensor.dims().to_vec(),
        data: read.1.map_err(|error| Failure::Adapter(error.to_string()))?,
        strings: vec![],
    }))
}

fn bytes<T: WithDType, const N: usize>(tensor: &CandleTensor, of: fn(T) -> [u8; N]) -> candle_core::Result<Vec<u8>> {
    Ok(tensor.flatten_all()?.to_vec1::<T>()?.into_iter().flat_map(of).collect())
}

fn main() {
    serve(CandleOnnx::default());
}
