//! A complete adapter, for a runtime of a few lines whose models are text files: "negative" or "positive".
mod ifcert_adapter;

use ifcert_adapter::{serve, Adapter, Clock, Description, Failure, Named, Outcome, Outputs, Port, Value};

/// The runtime: it flips the sign of a tensor of float32, or leaves any value alone. It likes to print.
struct SignRuntime {
    flip: bool,
}

impl SignRuntime {
    fn new(file: &[u8]) -> Result<Self, String> {
        let model = String::from_utf8_lossy(file);
        let model = model.trim();
        if model != "negative" && model != "positive" {
            return Err(format!("unknown model: {model}"));
        }
        println!("the model is {model}");
        Ok(Self {
            flip: model == "negative",
        })
    }

    fn run(&self, mut value: Value) -> Result<Value, String> {
        match &mut value {
            _ if !self.flip => {}
            Value::Tensor(tensor) if tensor.element_type == "float32" => {
                tensor.data.iter_mut().skip(3).step_by(4).for_each(|byte| *byte ^= 0x80)
            }
            _ => return Err("only float32 has a sign here".into()),
        }
        Ok(value)
    }
}

/// Its models have one input and one output, y.
#[derive(Default)]
struct SignAdapter {
    model: Option<SignRuntime>,
}

impl Adapter for SignAdapter {
    fn describe(&self) -> Description {
        Description {
            adapter: "example",
            runtime: "sign",
            version: "1".into(),
            home: "https://example.org",
            holds: true,
            unsupported_features: vec![],
        }
    }

    fn load(&mut self, path: &str, clock: &mut Clock) -> Outcome<Vec<Port>> {
        // A file that cannot be read is not the runtime's fault.
        let file = std::fs::read(path).map_err(|error| Failure::Adapter(error.to_string()))?;
        self.model = Some(clock.runtime(|| SignRuntime::new(&file))?);
        Ok(vec![Port {
            name: "y".into(),
            element_type: None,
            shape: None,
        }])
    }

    fn run(&mut self, inputs: Vec<Named>, clock: &mut Clock) -> Outcome<Outputs> {
        let model = self.model.as_ref().expect("the SDK skips runs without a model");
        let [(_, input)] =
            <[Named; 1]>::try_from(inputs).map_err(|_| Failure::Adapter("there must be one input".into()))?;
        let result = clock.runtime(|| model.run(input))?;
        Ok(Box::new(move || Ok(vec![("y".into(), result.clone())])))
    }

    fn unload(&mut self) {
        self.model = None;
    }
}

fn main() {
    serve(SignAdapter::default());
}
