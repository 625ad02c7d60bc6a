// An adapter whose model is a text that says where it panics: in "load", "run" or "read", "inside" the runtime's block
// or outside it. Any other model computes its inputs.
package main

import (
	"os"
	"strings"
)

type faultyAdapter struct{ fault string }

// panicsAt is an index out of range at one place.
func (adapter *faultyAdapter) panicsAt(place string) error {
	if adapter.fault == place {
		var none []int
		_ = none[len(place)]
	}
	return nil
}

// at has both kinds of the place.
func (adapter *faultyAdapter) at(place string) error {
	if err := adapter.panicsAt(place); err != nil {
		return err
	}
	return InRuntime(func() error { return adapter.panicsAt("inside " + place) })
}

func (adapter *faultyAdapter) Describe() Description {
	return Description{
		Adapter: "faulty",
		Runtime: Runtime{Name: "faults", Version: "1", Language: "Go", Home: "https://example.org"},
		Formats: []string{"onnx"}, Computes: true, Threads: true, Holds: true,
	}
}

func (adapter *faultyAdapter) Load(path, _ string) ([]Port, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	adapter.fault = strings.TrimSpace(string(text))
	return []Port{{Name: "y"}}, adapter.at("load")
}

func (adapter *faultyAdapter) Run(inputs []Named) (func() ([]Named, error), error) {
	return func() ([]Named, error) { return inputs, adapter.at("read") }, adapter.at("run")
}

func (adapter *faultyAdapter) Unload() {}

func main() { Serve(&faultyAdapter{}) }
