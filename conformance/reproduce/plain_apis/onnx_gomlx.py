"""ONNX-GoMLX on the backend in pure Go, in a Go program of a few lines that go builds."""

#: import

MODULE = """
module plain

go 1.26

require (
\tgithub.com/gomlx/gomlx v0.26.0
\tgithub.com/gomlx/onnx-gomlx v0.3.4
)
"""

PROGRAM = r"""
package main

import (
	"bufio"
	"encoding/base64"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/gomlx/exceptions"
	"github.com/gomlx/gomlx/backends/simplego"
	"github.com/gomlx/gomlx/pkg/core/dtypes"
	"github.com/gomlx/gomlx/pkg/core/graph"
	"github.com/gomlx/gomlx/pkg/core/shapes"
	"github.com/gomlx/gomlx/pkg/core/tensors"
	"github.com/gomlx/gomlx/pkg/ml/context"
	"github.com/gomlx/onnx-gomlx/onnx"
)

var model *onnx.Model
var exec *context.Exec

func bytes(text string) []byte {
	if text == "-" {
		return nil
	}
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		panic(err)
	}
	return data
}

func dash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}

func load(path string) (err error) {
	if model, err = onnx.ReadFile(path); err != nil {
		return err
	}
	backend, err := simplego.New("")
	if err != nil {
		return err
	}
	values := context.New()
	if err = model.VariablesToContext(values); err != nil {
		return err
	}
	if len(model.InputsNames) == 0 {
		exec, err = context.NewExec(backend, values, func(values *context.Context, g *graph.Graph) []*graph.Node {
			return model.CallGraph(values, g, nil)
		})
		return err
	}
	exec, err = context.NewExec(backend, values, func(values *context.Context, inputs []*graph.Node) []*graph.Node {
		named := map[string]*graph.Node{}
		for at, input := range inputs {
			named[model.InputsNames[at]] = input
		}
		return model.CallGraph(values, inputs[0].Graph(), named)
	})
	return err
}

func run(words []string) (string, error) {
	feeds := []any{}
	for _, name := range model.InputsNames {
		for at := 0; at+4 <= len(words); at += 4 {
			if string(bytes(words[at])) != name {
				continue
			}
			sizes := []int{}
			for _, size := range strings.Split(words[at+2], ",") {
				if size != "-" {
					number, _ := strconv.Atoi(size)
					sizes = append(sizes, number)
				}
			}
			dtype, err := dtypes.DTypeString(words[at+1])
			if err != nil {
				return "", err
			}
			tensor := tensors.FromShape(shapes.Make(dtype, sizes...))
			if data := bytes(words[at+3]); len(data) > 0 {
				tensor.MutableBytes(func(memory []byte) { copy(memory, data) })
			}
			feeds = append(feeds, tensor)
		}
	}
	results, err := exec.Exec(feeds...)
	if err != nil {
		return "", err
	}
	reply := "returned"
	for _, result := range results {
		sizes := []string{}
		for _, size := range result.Shape().Dimensions {
			sizes = append(sizes, strconv.Itoa(size))
		}
		data := ""
		if result.Shape().Size() > 0 {
			result.ConstBytes(func(memory []byte) { data = base64.StdEncoding.EncodeToString(memory) })
		}
		name := strings.ToLower(result.DType().String())
		reply += " " + name + " " + dash(strings.Join(sizes, ",")) + " " + dash(data)
	}
	return reply, nil
}

func answer(words []string) (reply string, err error) {
	if words[0] == "load" {
		return "loaded 0.3.4", load(string(bytes(words[1])))
	}
	// CallGraph panics in case of errors, as all graph building of GoMLX does.
	if thrown := exceptions.TryCatch[error](func() { reply, err = run(words[1:]) }); thrown != nil {
		return "", thrown
	}
	return reply, err
}

func main() {
	descriptor, _ := strconv.Atoi(os.Args[1])
	answers := os.NewFile(uintptr(descriptor), "answers")
	lines := bufio.NewReader(os.Stdin)
	for {
		line, err := lines.ReadString('\n')
		if err == io.EOF {
			return
		}
		reply, err := answer(strings.Split(strings.TrimSpace(line), " "))
		if err != nil {
			reply = "refused " + dash(base64.StdEncoding.EncodeToString([]byte(err.Error())))
		}
		fmt.Fprintln(answers, reply)
	}
}
"""

# A panic ends the program with this code. It passes arrays of numpy alone.
PANIC, PASSED_TYPES = 2, ()


def command(folder):
    """PLAIN_GOMLX names a folder that keeps what go has built."""
    folder = os.environ.get("PLAIN_GOMLX", folder)
    program = os.path.join(folder, "plain")
    if not os.path.exists(program):
        os.makedirs(folder, exist_ok=True)
        write_files(folder, {"go.mod": MODULE, "main.go": PROGRAM})
        subprocess.run(["go", "mod", "tidy"], cwd=folder, check=True, stdout=2)
        subprocess.run(["go", "build", "-o", "plain", "."], cwd=folder, check=True, stdout=2)
    return [program]
