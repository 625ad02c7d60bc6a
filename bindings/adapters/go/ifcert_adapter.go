// The Go SDK for adapters: the processes between ifcert's runner and one runtime (docs/protocol.md). Standard library
// only. example_adapter.go beside this file is a complete adapter.
//
// A panic of the adapter's own is answered as its fault, in whatever it does for a message; one inside InRuntime ends
// the process, and so does one in a goroutine that the adapter or the runtime starts.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"sync"
	"syscall"
	"time"
)

const messageLimit = 4000 // of a refusal: some runtimes quote the whole model

// Tensor has the elements' little-endian bytes in Data, or in Strings one text's bytes for each element.
type Tensor struct {
	Type    string
	Shape   []int
	Data    []byte
	Strings [][]byte
}

// Sequence is a sequence of tensors. Of is the items' type, as tensor(float32); empty where it is unknown.
type Sequence struct {
	Of    string
	Items []Tensor
}

// Optional has a Tensor or a Sequence as its Value, or nil where it is absent.
type Optional struct {
	Of    string
	Value any
}

// Other is a value that the protocol cannot represent, described for the report.
type Other struct{ Is string }

// Named is an input or an output: its value is a Tensor, Sequence, Optional or Other.
type Named struct {
	Name  string
	Value any
}

// Port is an output as the loaded model declares it. Dims are numbers, names or nil; nil stands for unknown.
type Port struct {
	Name  string  `json:"name"`
	Type  *string `json:"type"`
	Shape []any   `json:"shape"`
}

// UnsupportedFeature is a feature that the runtime lacks, and the page of its own documentation that states it.
type UnsupportedFeature struct {
	What string `json:"what"`
	Why  string `json:"why"`
	Link string `json:"link"`
}

// Runtime is described in hello; its version comes from the runtime itself.
type Runtime struct {
	Name     string `json:"name"`
	Version  string `json:"version"`
	Language string `json:"language"`
	Home     string `json:"home"`
}

// Description is the answer to hello.
type Description struct {
	Protocol            int                  `json:"protocol"`
	Adapter             string               `json:"adapter"`
	Runtime             Runtime              `json:"runtime"`
	Formats             []string             `json:"formats"`
	Computes            bool                 `json:"computes"`
	Threads             bool                 `json:"threads"` // Run may be called by several goroutines at once
	Holds               bool                 `json:"holds"`
	UnsupportedFeatures []UnsupportedFeature `json:"unsupported_features"`
}

// Adapter is one runtime. Its calls, and nothing else, belong into InRuntime.
type Adapter interface {
	Describe() Description
	// Load loads the model, keeps it for Run, and returns its outputs in order.
	Load(path, format string) ([]Port, error)
	// Run runs the loaded model. The function that it returns reads every output, in order, from the runtime's own
	// objects: now, and again after later runs where the description declares Holds.
	Run(inputs []Named) (func() ([]Named, error), error)
	// Unload drops the loaded model.
	Unload()
}

// Refused is the runtime's refusal. Every other error, but Unsupported, is the adapter's own fault.
type Refused struct{ Message string }

func (refused Refused) Error() string { return refused.Message }

// Unsupported is a feature that Describe declares, or, with a status of the runtime's own, anything else.
type Unsupported struct{ What, Message, Status string }

func (lack Unsupported) Error() string { return lack.Message }

// InRuntime makes calls of the runtime: their error is its refusal, unless it is an Unsupported, and their time is
// measured. A panic ends the process, which the runner calls a crash.
func InRuntime(calls func() error) error {
	started, returned := time.Now(), false
	defer func() { spent.add(time.Since(started), returned) }()
	err := calls()
	returned = true
	var lack Unsupported
	if err == nil || errors.As(err, &lack) {
		return err
	}
	message := []rune(err.Error())
	return Refused{string(message[:min(len(message), messageLimit)])}
}

// stopwatch is the time in the runtime for one message, and whether a call of it has panicked.
type stopwatch struct {
	sync.Mutex
	time            time.Duration
	there, panicked bool
}

var spent stopwatch

func (watch *stopwatch) add(passed time.Duration, returned bool) {
	watch.Lock()
	defer watch.Unlock()
	watch.time, watch.there = watch.time+passed, true
	watch.panicked = watch.panicked || !returned
}

func (watch *stopwatch) runtimePanicked() bool {
	watch.Lock()
	defer watch.Unlock()
	return watch.panicked
}

type object = map[string]any

type named struct {
	Name  string          `json:"name"`
	Value json.RawMessage `json:"value"`
}

type request struct {
	Cmd, Format, Model string
	Id, Held           int
	Hold               bool
	Inputs             []named
	Runs               []struct{ Inputs []named }
}

// session is one model, and the outputs that its runs hold, by the run's id.
type session struct {
	adapter Adapter
	loaded  bool
	held    map[int]func() ([]Named, error)
}

// Serve answers the runner until it sends bye or is gone.
func Serve(adapter Adapter) {
	requests, answers := privateDescriptors()
	lines := bufio.NewReader(requests)
	serving := session{adapter: adapter}
	for {
		line, err := lines.ReadBytes('\n')
		if err == io.EOF {
			return
		}
		must(err)
		var next request
		must(json.Unmarshal(line, &next))
		if next.Cmd == "bye" {
			return
		}
		text, err := json.Marshal(serving.answer(next))
		must(err)
		_, err = answers.Write(append(text, '\n'))
		must(err)
	}
}

// privateDescriptors moves the protocol away from descriptors 0 and 1; what is printed on 1 goes to 2.
func privateDescriptors() (*os.File, *os.File) {
	requests, err := syscall.Dup(0)
	must(err)
	answers, err := syscall.Dup(1)
	must(err)
	syscall.CloseOnExec(requests)
	syscall.CloseOnExec(answers)
	nothing, err := os.Open(os.DevNull)
	must(err)
	must(syscall.Dup3(int(nothing.Fd()), 0, 0))
	must(syscall.Dup3(2, 1, 0))
	return os.NewFile(uintptr(requests), "requests"), os.NewFile(uintptr(answers), "answers")
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "the protocol is broken:", err)
		os.Exit(1)
	}
}

func (serving *session) answer(next request) object {
	if next.Cmd == "hello" {
		description := serving.adapter.Describe()
		description.Protocol = 1
		if description.UnsupportedFeatures == nil {
			description.UnsupportedFeatures = []UnsupportedFeature{}
		}
		return object{"hello": description}
	}
	spent = stopwatch{}
	answer := serving.outcome(func() (object, error) { return serving.dispatch(next) })
	answer["id"] = next.Id
	if spent.there {
		answer["runtime_ms"] = float64(spent.time.Microseconds()) / 1000
	}
	return answer
}

// outcome is the answer that a call returns. A panic is the adapter's own fault, unless it comes from the runtime: then
// it goes on, and ends the process.
func (serving *session) outcome(call func() (object, error)) (answer object) {
	defer func() {
		if spent.runtimePanicked() {
			return
		}
		if fault := recover(); fault != nil {
			debug.PrintStack()
			answer = serving.failure(fmt.Errorf("panic: %v", fault))
		}
	}()
	answer, err := call()
	if err != nil {
		return serving.failure(err)
	}
	return answer
}

func (serving *session) dispatch(next request) (object, error) {
	switch next.Cmd {
	case "load":
		serving.held, serving.loaded = map[int]func() ([]Named, error){}, false
		ports, err := serving.adapter.Load(next.Model, next.Format)
		if err != nil {
			return nil, err
		}
		serving.loaded = true
		return object{"loaded": object{"outputs": ports}}, nil
	case "unload":
		serving.held, serving.loaded = nil, false
		serving.adapter.Unload()
		return object{"unloaded": object{}}, nil
	}
	if !serving.loaded {
		return object{"skipped": object{}}, nil
	}
	switch next.Cmd {
	case "run":
		return serving.run(next)
	case "reread":
		if read, there := serving.held[next.Held]; there {
			return encodeOutputs(read())
		}
		return nil, fmt.Errorf("there are no held outputs of run %d", next.Held)
	case "concurrent":
		return serving.concurrent(next)
	}
	return nil, fmt.Errorf("the protocol has no command %q", next.Cmd)
}

func (serving *session) run(next request) (object, error) {
	inputs, err := decodeInputs(next.Inputs)
	if err != nil {
		return nil, err
	}
	if next.Hold {
		serving.held[next.Id] = func() ([]Named, error) {
			return nil, Refused{"its run returned no outputs to hold"}
		}
	}
	read, err := serving.adapter.Run(inputs)
	if err != nil {
		return nil, err
	}
	outputs, err := encodeOutputs(read())
	if err == nil && next.Hold {
		serving.held[next.Id] = read
	}
	return outputs, err
}

// concurrent starts a goroutine for each run; none runs before all are ready.
func (serving *session) concurrent(next request) (object, error) {
	outcomes := make([]object, len(next.Runs))
	start := make(chan struct{})
	var all sync.WaitGroup
	for at, each := range next.Runs {
		all.Add(1)
		go func() {
			defer all.Done()
			<-start
			outcomes[at] = serving.outcome(func() (object, error) { return serving.run(request{Inputs: each.Inputs}) })
		}()
	}
	started := time.Now()
	close(start)
	all.Wait()
	spent = stopwatch{time: time.Since(started), there: true}
	for _, outcome := range outcomes {
		if _, there := outcome["adapter_error"]; there {
			return outcome, nil
		}
	}
	return object{"runs": outcomes}, nil
}

// failure: an undeclared feature without a status is the adapter's own mistake, because it would turn a failure into an
// excuse.
func (serving *session) failure(err error) object {
	var refused Refused
	var lack Unsupported
	switch {
	case errors.As(err, &refused):
		return object{"refused": object{"message": refused.Message}}
	case errors.As(err, &lack) && lack.Status != "":
		return object{"unsupported": object{"what": lack.What, "message": lack.Message, "status": lack.Status}}
	case errors.As(err, &lack):
		for _, declared := range serving.adapter.Describe().UnsupportedFeatures {
			if declared.What == lack.What {
				return object{"unsupported": object{"what": lack.What, "message": lack.Message}}
			}
		}
		err = fmt.Errorf("'%s' is unsupported, but hello did not declare it: %s", lack.What, lack.Message)
	}
	fmt.Fprintln(os.Stderr, err)
	return object{"adapter_error": object{"message": err.Error()}}
}

// wireValue is a value of any kind as the protocol has it; bytes are base64 there, as in Go's JSON.
type wireValue struct {
	Kind    string
	Type    string
	Of      *string
	Shape   []int
	Data    []byte
	Strings [][]byte
	Items   []json.RawMessage
	Value   json.RawMessage
	Absent  bool
}

func decodeInputs(inputs []named) ([]Named, error) {
	decoded := make([]Named, len(inputs))
	for at, input := range inputs {
		value, err := decode(input.Value)
		if err != nil {
			return nil, err
		}
		decoded[at] = Named{input.Name, value}
	}
	return decoded, nil
}

func decode(text json.RawMessage) (any, error) {
	var wire wireValue
	if err := json.Unmarshal(text, &wire); err != nil {
		return nil, err
	}
	of := ""
	if wire.Of != nil {
		of = *wire.Of
	}
	switch wire.Kind {
	case "tensor":
		return Tensor{wire.Type, wire.Shape, wire.Data, wire.Strings}, nil
	case "sequence":
		items := make([]Tensor, len(wire.Items))
		for at, each := range wire.Items {
			item, err := decode(each)
			if err != nil {
				return nil, err
			}
			items[at] = item.(Tensor)
		}
		return Sequence{of, items}, nil
	case "optional":
		if wire.Absent {
			return Optional{of, nil}, nil
		}
		value, err := decode(wire.Value)
		return Optional{of, value}, err
	}
	return nil, fmt.Errorf("a value of kind %q cannot be an input", wire.Kind)
}

func encodeOutputs(outputs []Named, err error) (object, error) {
	if err != nil {
		return nil, err
	}
	encoded := make([]object, len(outputs))
	for at, output := range outputs {
		encoded[at] = object{"name": output.Name, "value": encode(output.Value)}
	}
	return object{"outputs": encoded}, nil
}

func encode(value any) object {
	switch value := value.(type) {
	case Tensor:
		return encodeTensor(value)
	case Sequence:
		items := make([]object, len(value.Items))
		for at, item := range value.Items {
			items[at] = encodeTensor(item)
		}
		return object{"kind": "sequence", "of": orNull(value.Of), "items": items}
	case Optional:
		if value.Value == nil {
			return object{"kind": "optional", "of": orNull(value.Of), "absent": true}
		}
		return object{"kind": "optional", "of": orNull(value.Of), "value": encode(value.Value)}
	case Other:
		return object{"kind": "other", "is": value.Is}
	}
	return object{"kind": "other", "is": fmt.Sprintf("%T", value)}
}

func encodeTensor(tensor Tensor) object {
	encoded := object{"kind": "tensor", "type": tensor.Type, "shape": append([]int{}, tensor.Shape...)}
	if tensor.Type == "string" {
		encoded["strings"] = append([][]byte{}, tensor.Strings...)
	} else {
		encoded["data"] = append([]byte{}, tensor.Data...)
	}
	return encoded
}

func orNull(text string) any {
	if text == "" {
		return nil
	}
	return text
}
