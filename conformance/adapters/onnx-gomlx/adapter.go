// ONNX-GoMLX on GoMLX's backend in pure Go.
package main

import (
	"runtime/debug"
	"strings"

	"github.com/gomlx/exceptions"
	"github.com/gomlx/gomlx/backends"
	"github.com/gomlx/gomlx/backends/simplego"
	"github.com/gomlx/gomlx/pkg/core/dtypes"
	"github.com/gomlx/gomlx/pkg/core/graph"
	"github.com/gomlx/gomlx/pkg/core/shapes"
	"github.com/gomlx/gomlx/pkg/core/tensors"
	"github.com/gomlx/gomlx/pkg/ml/context"
	"github.com/gomlx/onnx-gomlx/onnx"
)

const (
	home  = "https://github.com/gomlx/onnx-gomlx"
	pages = "https://pkg.go.dev/github.com/gomlx/onnx-gomlx@v0.3.4/onnx"

	backendPages = "https://pkg.go.dev/github.com/gomlx/gomlx/backends/simplego"
)

var ourNames = map[dtypes.DType]string{
	dtypes.Bool: "bool", dtypes.Int8: "int8", dtypes.Int16: "int16", dtypes.Int32: "int32", dtypes.Int64: "int64",
	dtypes.Uint8: "uint8", dtypes.Uint16: "uint16", dtypes.Uint32: "uint32", dtypes.Uint64: "uint64",
	dtypes.Float16: "float16", dtypes.BFloat16: "bfloat16", dtypes.Float32: "float32", dtypes.Float64: "float64",
	dtypes.Complex64: "complex64", dtypes.Complex128: "complex128",
}

// unsupportedFeatures are features without which it refuses models for other reasons, too.
var unsupportedFeatures = []UnsupportedFeature{
	{"operator:Loop", "the operators that it converts do not include it", pages},
	{"operator:ReduceSum", "the operators that it converts do not include it", pages},
	{"operator:Scan", "the operators that it converts do not include it", pages},
	{"operator:Size", "the operators that it converts do not include it", pages},
	{"type:complex64", "the backend does not support it", backendPages},
	{"type:complex128", "the backend does not support it", backendPages},
}

// lacks are its words for what it does not implement.
var lacks = []string{
	"unimplemented ONNX op",
	"unsupported/unknown ONNX data type",
	"is not a tensor, not sure how to handle it",
	"onnx.CallGraph does not support ONNX functions",
	"does not support ONNX SparseTensors",
	"holds string data which is not supported",
	"is stored as external data, which is not implemented",
	"overload",
	"cannot materialize constant/static value",
	"is not yet implemented",
	"not supported",
	"not implemented",
}

// gomlx has one model at a time: its graph is built anew for each combination of input shapes, as the library does.
type gomlx struct {
	backend backends.Backend
	model   *onnx.Model
	exec    *context.Exec
}

func (adapter *gomlx) Describe() Description {
	return Description{
		Adapter:             "onnx-gomlx",
		Runtime:             Runtime{Name: "ONNX-GoMLX", Version: version(), Language: "Go", Home: home},
		Formats:             []string{"onnx"},
		Computes:            true,
		Holds:               true,
		UnsupportedFeatures: unsupportedFeatures,
	}
}

// version is that of the module which is linked.
func version() string {
	build, _ := debug.ReadBuildInfo()
	for _, module := range build.Deps {
		if module.Path == "github.com/gomlx/onnx-gomlx" {
			return strings.TrimPrefix(module.Version, "v")
		}
	}
	return "unknown"
}

// judged tells what is not implemented from a refusal.
func judged(err error) error {
	if err == nil {
		return nil
	}
	for _, status := range lacks {
		if strings.Contains(err.Error(), status) {
			return Unsupported{What: "runtime", Message: err.Error(), Status: status}
		}
	}
	return err
}

// caught: "As in GoMLX graph building (symbolic) functions, it panics (throws exceptions) in case of errors."
func caught(calls func() error) error {
	var err error
	if thrown := exceptions.TryCatch[error](func() { err = calls() }); thrown != nil {
		return judged(thrown)
	}
	return judged(err)
}

func (adapter *gomlx) Load(path, _ string) ([]Port, error) {
	adapter.Unload()
	err := InRuntime(func() (err error) {
		adapter.model, err = onnx.ReadFile(path)
		return judged(err)
	})
	if err != nil {
		return nil, err
	}
	model := adapter.model
	err = InRuntime(func() error {
		return caught(func() (err error) {
			values := context.New()
			if err = model.VariablesToContext(values); err != nil {
				return err
			}
			adapter.exec, err = adapter.made(values)
			return err
		})
	})
	ports := make([]Port, len(model.OutputsNames))
	for at, name := range model.OutputsNames {
		ports[at] = port(name, model.OutputsShapes[at])
	}
	return ports, err
}

// made is the computation: the inputs are in the order of the model.
func (adapter *gomlx) made(values *context.Context) (*context.Exec, error) {
	model := adapter.model
	if len(model.InputsNames) == 0 {
		return context.NewExec(adapter.backend, values, func(values *context.Context, g *graph.Graph) []*graph.Node {
			return model.CallGraph(values, g, nil)
		})
	}
	return context.NewExec(adapter.backend, values, func(values *context.Context, inputs []*graph.Node) []*graph.Node {
		named := map[string]*graph.Node{}
		for at, input := range inputs {
			named[model.InputsNames[at]] = input
		}
		return model.CallGraph(values, inputs[0].Graph(), named)
	})
}

func port(name string, declared onnx.DynamicShape) Port {
	output := Port{Name: name, Shape: []any{}}
	if ours, there := ourNames[declared.DType]; there {
		kind := "tensor(" + ours + ")"
		output.Type = &kind
	}
	for at, size := range declared.Dimensions {
		switch {
		case size >= 0:
			output.Shape = append(output.Shape, size)
		case declared.Names[at] == onnx.UnnamedDynamicDimension || declared.Names[at] == "":
			output.Shape = append(output.Shape, nil)
		default:
			output.Shape = append(output.Shape, declared.Names[at])
		}
	}
	return output
}

func (adapter *gomlx) Run(inputs []Named) (func() ([]Named, error), error) {
	feeds := make([]any, 0, len(inputs))
	for _, name := range adapter.model.InputsNames {
		for _, input := range inputs {
			if input.Name != name {
				continue
			}
			feed, err := fed(input.Value)
			if err != nil {
				return nil, err
			}
			feeds = append(feeds, feed)
		}
	}
	var results []*tensors.Tensor
	err := InRuntime(func() error {
		return caught(func() (err error) {
			results, err = adapter.exec.Exec(feeds...)
			return err
		})
	})
	names := adapter.model.OutputsNames
	return func() ([]Named, error) { return read(names, results) }, err
}

func fed(value any) (*tensors.Tensor, error) {
	tensor, fits := value.(Tensor)
	if !fits {
		return nil, Refused{"a model with such an input is not loaded"}
	}
	for dtype, name := range ourNames {
		if name != tensor.Type {
			continue
		}
		made := tensors.FromShape(shapes.Make(dtype, tensor.Shape...))
		if len(tensor.Data) == 0 {
			return made, nil // MutableBytes panics where there are no elements
		}
		return made, made.MutableBytes(func(data []byte) { copy(data, tensor.Data) })
	}
	return nil, Refused{"a model with such an input is not loaded"}
}

func read(names []string, results []*tensors.Tensor) ([]Named, error) {
	outputs := make([]Named, len(results))
	for at, result := range results {
		tensor := Tensor{Type: ourNames[result.DType()], Shape: result.Shape().Dimensions}
		if result.Shape().Size() > 0 { // ConstBytes panics as well
			err := result.ConstBytes(func(data []byte) { tensor.Data = append([]byte{}, data...) })
			if err != nil {
				return nil, err
			}
		}
		outputs[at] = Named{names[at], tensor}
		if tensor.Type == "" {
			outputs[at].Value = Other{result.Shape().String()}
		}
	}
	return outputs, nil
}

func (adapter *gomlx) Unload() { adapter.model, adapter.exec = nil, nil }

func main() {
	backend, err := simplego.New("")
	must(err)
	Serve(&gomlx{backend: backend})
}
