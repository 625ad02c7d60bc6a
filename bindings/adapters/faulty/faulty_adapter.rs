//! An adapter whose model is a text that says where it panics: in "load", "run" or "read", "inside" the runtime's block
//! or outside it. Any other model computes its inputs.
mod ifcert_adapter;

use ifcert_adapter::{serve, Adapter, Clock, Description, Failure, Named, Outcome, Outputs, Port};

#[derive(Default)]
struct FaultyAdapter {
    fault: String,
}

/// An index out of range at one place.
fn panic_at(fault: &str, place: &str) -> Result<usize, String> {
    let elements = vec![0; usize::from(fault != place)];
    Ok(elements[0])
}

impl FaultyAdapter {
    /// Both kinds of the place.
    fn at(&self, place: &str, clock: &mut Clock) -> Outcome<usize> {
        panic_at(&self.fault, place).map_err(Failure::Adapter)?;
        clock.runtime(|| panic_at(&self.fault, &format!("inside {place}")))
    }
}

impl Adapter for FaultyAdapter {
    fn describe(&self) -> Description {
        Description {
            adapter: "faulty",
            runtime: "faults",
            version: "1".into(),
            home: "https://example.org",
            holds: true,
            unsupported_features: vec![],
        }
    }

    fn load(&mut self, path: &str, clock: &mut Clock) -> Outcome<Vec<Port>> {
        let text = std::fs::read_to_string(path).map_err(|error| Failure::Adapter(error.to_string()))?;
        self.fault = text.trim().to_string();
        self.at("load", clock)?;
        Ok(vec![Port {
            name: "y".into(),
            element_type: None,
            shape: None,
        }])
    }

    fn run(&mut self, inputs: Vec<Named>, clock: &mut Clock) -> Outcome<Outputs> {
        self.at("run", clock)?;
        let fault = self.fault.clone();
        Ok(Box::new(move || {
            panic_at(&fault, "read").map_err(Failure::Adapter)?;
            Ok(inputs.clone())
        }))
    }

    fn unload(&mut self) {}
}

fn main() {
    serve(FaultyAdapter::default());
}
