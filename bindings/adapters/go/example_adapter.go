// A complete adapter, for a runtime of a few lines whose models are text files: "negative" or "positive".
package main

import (
	"fmt"
	"os"
	"strings"
)

// signRuntime flips the sign of a tensor of float32, or leaves any value alone. It likes to print.
type signRuntime struct{ flip bool }

func newSignRuntime(model string) (*signRuntime, error) {
	if model != "negative" && model != "positive" {
		return nil, fmt.Errorf("unknown model: %s", model)
	}
	fmt.Println("the model is", model)
	return &signRuntime{model == "negative"}, nil
}

func (model *signRuntime) run(value any) (any, error) {
	if !model.flip {
		return value, nil
	}
	tensor, fits := value.(Tensor)
	if !fits || tensor.Type != "float32" {
		return nil, fmt.Errorf("only float32 has a sign here")
	}
	tensor.Data = append([]byte{}, tensor.Data...)
	for at := 3; at < len(tensor.Data); at += 4 {
		tensor.Data[at] ^= 0x80
	}
	return tensor, nil
}

// signAdapter has one model at a time, with one input and one output, y.
type signAdapter struct{ model *signRuntime }

func (adapter *signAdapter) Describe() Description {
	return Description{
		Adapter:  "example",
		Runtime:  Runtime{Name: "sign", Version: "1", Language: "Go", Home: "https://example.org"},
		Formats:  []string{"onnx"},
		Computes: true,
		Threads:  true,
		Holds:    true,
	}
}

func (adapter *signAdapter) Load(path, _ string) ([]Port, error) {
	text, err := os.ReadFile(path) // a file that cannot be read is not the runtime's fault
	if err != nil {
		return nil, err
	}
	err = InRuntime(func() (err error) {
		adapter.model, err = newSignRuntime(strings.TrimSpace(string(text)))
		return err
	})
	return []Port{{Name: "y"}}, err
}

func (adapter *signAdapter) Run(inputs []Named) (func() ([]Named, error), error) {
	var result any
	err := InRuntime(func() (err error) {
		result, err = adapter.model.run(inputs[0].Value)
		return err
	})
	return func() ([]Named, error) { return []Named{{"y", result}}, nil }, err
}

func (adapter *signAdapter) Unload() { adapter.model = nil }

func main() { Serve(&signAdapter{}) }
