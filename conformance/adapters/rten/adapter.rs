//! RTen, with all its operators and its default optimisations, on one thread.
//!
//! RTen has no int64, bool and float64: it holds them as int32 and float32, and its documentation says that callers pass
//! int32 for the first two. So the adapter passes int32, and a result that the model declares with such a type is
//! answered as one that cannot be read.

mod ifcert_adapter;

use ifcert_adapter::{
    clipped, serve, Adapter, Clock, Description, Dim, Failure, Named, Outcome, Outputs, Port, Tensor,
    UnsupportedFeature, Value,
};
use rten::{Dimension, Model, ModelOptions, NodeId, Sequence, ValueOrView};
use rten_onnx::onnx::{ModelProto, TypeProto, ValueInfoProto};
use rten_tensor::{AsView, Layout, Tensor as RtenTensor};

const DATA_TYPES: &str = "https://docs.rs/rten/0.27.0/rten/index.html#data-types";
const VALUES: &str = "https://docs.rs/rten/0.27.0/rten/enum.ValueType.html";

/// Element types of which there are no tensors in RTen.
const LACKING: [&str; 19] = [
    "type:int2",
    "type:int4",
    "type:int16",
    "type:uint2",
    "type:uint4",
    "type:uint16",
    "type:uint32",
    "type:uint64",
    "type:float16",
    "type:bfloat16",
    "type:float8e4m3fn",
    "type:float8e4m3fnuz",
    "type:float8e5m2",
    "type:float8e5m2fnuz",
    "type:float8e8m0",
    "type:float4e2m1",
    "type:complex64",
    "type:complex128",
    "type:string",
];

/// Values of these types are held as int32 or float32.
const HELD_AS_ANOTHER: [&str; 12] = [
    "value:tensor(int64)",
    "value:tensor(bool)",
    "value:tensor(float64)",
    "value:seq(tensor(int64))",
    "value:seq(tensor(bool))",
    "value:seq(tensor(float64))",
    "output:tensor(int64)",
    "output:tensor(bool)",
    "output:tensor(float64)",
    "output:seq(tensor(int64))",
    "output:seq(tensor(bool))",
    "output:seq(tensor(float64))",
];
const CONSTANTS: &str = "https://github.com/robertknight/rten/pull/1487";

/// Its words for what it does not implement.
const LACKS: [&str; 8] = [
    "operator not supported or not enabled",
    "later are supported",
    "unsupported data type",
    "unsupported data location",
    "unsupported external data key",
    "unsupported input type",
    "unsupported input or attribute value",
    "unsupported output",
];

/// A loaded model, and what its file declares for the outputs, in order.
struct Loaded {
    model: Model,
    declared: Vec<Declared>,
}

/// An output as the file has it. RTen tells it int32 for several types, and no name where it is a constant.
#[derive(Clone)]
struct Declared {
    name: String,
    kind: Option<String>,
}

#[derive(Default)]
struct Rten {
    loaded: Option<Loaded>,
}

impl Adapter for Rten {
    fn describe(&self) -> Description {
        let mut unsupported_features: Vec<UnsupportedFeature> = LACKING
            .map(|what| UnsupportedFeature(what, "'Data types' does not list it", DATA_TYPES))
            .into();
        let held = "'i64 and bool tensors are supported by converting them to i32', 'f64 […] to f32'";
        unsupported_features.extend(HELD_AS_ANOTHER.map(|what| UnsupportedFeature(what, held, DATA_TYPES)));
        let listed = "`input_ids` lists no input with an initializer, and there are no overridable initializers yet";
        unsupported_features.push(UnsupportedFeature("input:default", listed, CONSTANTS));
        unsupported_features.push(UnsupportedFeature("kind:optional", "ValueType: Tensor and Sequence", VALUES));
        Description {
            adapter: "rten",
            runtime: "RTen",
            version: version(),
            home: "https://github.com/robertknight/rten",
            holds: true,
            unsupported_features,
        }
    }

    fn load(&mut self, path: &str, clock: &mut Clock) -> Outcome<Vec<Port>> {
        self.loaded = None;
        let model = clock.judged(|| ModelOptions::with_all_ops().load_file(path), judged)?;
        let declared = declared_outputs(path)?;
        let ports = model
            .output_ids()
            .iter()
            .zip(&declared)
            .map(|(id, declared)| port(&model, *id, declared))
            .collect();
        self.loaded = Some(Loaded { model, declared });
        Ok(ports)
    }

    fn run(&mut self, inputs: Vec<Named>, clock: &mut Clock) -> Outcome<Outputs> {
        let Loaded { model, declared } = self.loaded.as_ref().expect("the SDK skips runs without a model");
        let mut feeds = vec![];
        for (name, value) in &inputs {
            feeds.push((clock.judged(|| model.node_id(name), judged)?, fed(value)?));
        }
        let results = clock.judged(|| model.run(feeds, model.output_ids(), None), judged)?;
        let names: Vec<String> = model
            .output_ids()
            .iter()
            .zip(declared)
            .map(|(id, own)| name_of(model, *id, own))
            .collect();
        let declared = declared.clone();
        Ok(Box::new(move || {
            let outputs = names.iter().zip(&results).zip(&declared);
            outputs
                .map(|((name, result), own)| Ok((name.clone(), read(result, own.kind.as_deref())?)))
                .collect()
        }))
    }

    fn unload(&mut self) {
        self.loaded = None;
    }
}

/// The version of the crate that is linked.
fn version() -> String {
    let lock = include_str!("Cargo.lock");
    let entry = lock
        .split("name = \"rten\"\nversion = \"")
        .nth(1)
        .expect("the lock file has rten");
    entry.split('"').next().expect("a version").to_string()
}

fn judged(error: impl std::fmt::Display) -> Failure {
    let message = clipped(error);
    match LACKS.iter().find(|each| message.contains(*each)) {
        Some(status) => Failure::Unsupported {
            what: "runtime".into(),
            message: message.clone(),
            status: Some(status.to_string()),
        },
        None => Failure::Refused(message),
    }
}

fn name_of(model: &Model, id: NodeId, declared: &Declared) -> String {
    let name = model.node_info(id).and_then(|info| info.name().map(str::to_string));
    name.unwrap_or_else(|| declared.name.clone())
}

/// Its type is not reported, because RTen also holds other types as int32.
fn port(model: &Model, id: NodeId, declared: &Declared) -> Port {
    let shape = model.node_info(id).and_then(|info| info.shape());
    let dims = shape.map(|shape| {
        shape
            .into_iter()
            .map(|dim| match dim {
                Dimension::Fixed(size) => Dim::Size(size),
                Dimension::Symbolic(name) => Dim::Name(name),
            })
            .collect()
    });
    Port {
        name: name_of(model, id, declared),
        element_type: None,
        shape: dims,
    }
}

/// The file's outputs, in order; the type in the protocol's words, or None for what RTen's own reader does not know.
fn declared_outputs(path: &str) -> Outcome<Vec<Declared>> {
    let file = std::fs::File::open(path).map_err(|error| Failure::Adapter(error.to_string()))?;
    let model = ModelProto::parse_file(file).map_err(|error| Failure::Adapter(error.to_string()))?;
    let outputs: Vec<ValueInfoProto> = model.graph.map(|graph| graph.output).unwrap_or_default();
    let declared = outputs.iter().map(|output| Declared {
        name: output.name.clone().unwrap_or_default(),
        kind: output.r#type.as_ref().and_then(type_name),
    });
    Ok(declared.collect())
}

fn type_name(declared: &TypeProto) -> Option<String> {
    if let Some(sequence) = &declared.sequence {
        return Some(format!("seq({})", type_name(sequence.elem_type.as_ref()?)?));
    }
    let name = declared.tensor_type.as_ref()?.elem_type?.name()?.to_lowercase();
    let ours = match name.as_str() {
        "float" => "float32",
        "double" => "float64",
        other => other,
    };
    Some(format!("tensor({ours})"))
}

fn fed(value: &Value) -> Outcome<ValueOrView<'static>> {
    let fed: rten::Value = match value {
        Value::Tensor(tensor) => fed_tensor(tensor)?,
        Value::Sequence { of, items } => rten::Value::Sequence(fed_sequence(of.as_deref(), items)?),
        _ => return Err(Failure::Adapter("hello declares that there are no optionals".into())),
    };
    Ok(ValueOrView::Value(fed))
}

fn fed_tensor(tensor: &Tensor) -> Outcome<rten::Value> {
    let shape = tensor.shape.as_slice();
    let bytes = &tensor.data;
    Ok(match tensor.element_type.as_str() {
        "float32" => RtenTensor::from_data(shape, elements(bytes, f32::from_le_bytes)).into(),
        "int32" => RtenTensor::from_data(shape, elements(bytes, i32::from_le_bytes)).into(),
        "int8" => RtenTensor::from_data(shape, elements(bytes, i8::from_le_bytes)).into(),
        "uint8" => RtenTensor::from_data(shape, bytes.clone()).into(),
        "bool" => RtenTensor::from_data(shape, bytes.iter().map(|byte| i32::from(*byte)).collect::<Vec<i32>>()).into(),
        "int64" => {
            let narrowed: Result<Vec<i32>, _> = elements(bytes, i64::from_le_bytes)
                .into_iter()
                .map(i32::try_from)
                .collect();
            RtenTensor::from_data(shape, narrowed.map_err(|_| held_as_another("tensor(int64)"))?).into()
        }
        other => return Err(held_as_another(&format!("tensor({other})"))),
    })
}

fn fed_sequence(of: Option<&str>, items: &[Tensor]) -> Outcome<Sequence> {
    let shaped = |item: &Tensor| item.shape.clone();
    Ok(match of {
        Some("tensor(float32)") => items
            .iter()
            .map(|each| RtenTensor::from_data(shaped(each).as_slice(), elements(&each.data, f32::from_le_bytes)))
            .collect::<Vec<_>>()
            .into(),
        Some("tensor(int32)") => items
            .iter()
            .map(|each| RtenTensor::from_data(shaped(each).as_slice(), elements(&each.data, i32::from_le_bytes)))
            .collect::<Vec<_>>()
            .into(),
        Some("tensor(int8)") => items
            .iter()
            .map(|each| RtenTensor::from_data(shaped(each).as_slice(), elements(&each.data, i8::from_le_bytes)))
            .collect::<Vec<_>>()
            .into(),
        Some("tensor(uint8)") => items
            .iter()
            .map(|each| RtenTensor::from_data(shaped(each).as_slice(), each.data.clone()))
            .collect::<Vec<_>>()
            .into(),
        other => return Err(held_as_another(&format!("seq({})", other.unwrap_or_default()))),
    })
}

fn held_as_another(kind: &str) -> Failure {
    Failure::Unsupported {
        what: format!("value:{kind}"),
        message: "RTen holds it as another type".into(),
        status: None,
    }
}

fn elements<T, const N: usize>(bytes: &[u8], element: fn([u8; N]) -> T) -> Vec<T> {
    bytes
        .chunks_exact(N)
        .map(|chunk| element(chunk.try_into().expect("N bytes")))
        .collect()
}

fn read(result: &rten::Value, declared: Option<&str>) -> Outcome<Value> {
    if let Some(kind) = declared.filter(|kind| HELD_AS_ANOTHER.contains(&format!("output:{kind}").as_str())) {
        return Err(held_as_another(kind));
    }
    Ok(match result {
        rten::Value::Sequence(sequence) => {
            let items: Vec<Tensor> = (0..sequence.len())
                .filter_map(|at| sequence.at(at))
                .filter_map(|item| tensor_of(&item.to_owned()))
                .collect();
            Value::Sequence {
                of: items.first().map(|item| format!("tensor({})", item.element_type)),
                items,
            }
        }
        other => tensor_of(other).map_or_else(|| Value::Other(format!("{other:?}")), Value::Tensor),
    })
}

fn tensor_of(result: &rten::Value) -> Option<Tensor> {
    let (element_type, shape, data) = match result {
        rten::Value::FloatTensor(tensor) => (
            "float32",
            tensor.shape().to_vec(),
            tensor.iter().flat_map(|x| x.to_le_bytes()).collect(),
        ),
        rten::Value::Int32Tensor(tensor) => (
            "int32",
            tensor.shape().to_vec(),
            tensor.iter().flat_map(|x| x.to_le_bytes()).collect(),
        ),
        rten::Value::Int8Tensor(tensor) => (
            "int8",
            tensor.shape().to_vec(),
            tensor.iter().flat_map(|x| x.to_le_bytes()).collect(),
        ),
        rten::Value::UInt8Tensor(tensor) => ("uint8", tensor.shape().to_vec(), tensor.iter().copied().collect()),
        _ => return None,
    };
    Some(Tensor {
        element_type: element_type.into(),
        shape,
        data,
        strings: vec![],
    })
}

fn main() {
    serve(Rten::default());
}
