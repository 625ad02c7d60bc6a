"""ONNX-GoMLX on the backend in pure Go, in a Go program of a few lines that go builds."""

#: import
import base64
import math
import os
import signal
import subprocess
import tempfile

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


def built():
    """go keeps what it has built, so this takes long only once."""
    folder = os.environ.get("PLAIN_GOMLX") or tempfile.mkdtemp()
    program = os.path.join(folder, "plain")
    if not os.path.exists(program):
        os.makedirs(folder, exist_ok=True)
        for name, content in {"go.mod": MODULE, "main.go": PROGRAM}.items():
            with open(os.path.join(folder, name), "w") as file:
                file.write(content)
        subprocess.run(["go", "mod", "tidy"], cwd=folder, check=True, stdout=2)
        subprocess.run(["go", "build", "-o", "plain", "."], cwd=folder, check=True, stdout=2)
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
        raise RuntimeError("ONNX-GoMLX takes tensors of the types of GoMLX")
    shape = ",".join(map(str, value.shape))
    return [encoded(name.encode()), value.dtype.name, shape or "-", encoded(value.tobytes()) or "-"]


def decoded(kind, shape, data):
    shape = [] if shape == "-" else [int(size) for size in shape.split(",")]
    content = b"" if data == "-" else base64.b64decode(data)
    if math.prod(shape) * np.dtype(kind).itemsize != len(content):
        return kind, shape, content  # numpy has no such array
    return np.frombuffer(content, kind).reshape(shape)


def run(program, feeds):
    words = program.ask("run", *[word for feed in feeds.items() for word in passed(*feed)])
    return [decoded(*words[at : at + 3]) for at in range(0, len(words), 3)]
