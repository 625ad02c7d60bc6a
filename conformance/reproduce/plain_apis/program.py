"""A runtime in a program of another language, whose file here has the program and `command`, which starts it.

The program reads lines: `load PATH`, or `run` with the name, type, shape and data of each input; it answers on the
descriptor that is its last argument: `loaded VERSION`, `returned` with the type, shape and data of each output, or
`refused MESSAGE`. Names, messages and data are base64, sizes have commas between them, "-" is nothing; the texts of a
string tensor are "=TEXT,=TEXT"; a sequence is "( … )".
"""

#: import
import base64
import math
import os
import signal
import subprocess
import sys
import tempfile


class Program:
    """A process with one model."""

    def __init__(self, path):
        self.folder = tempfile.TemporaryDirectory()
        answers, writing = os.pipe()
        command_line = [*command(self.folder.name), str(writing)]
        self.process = subprocess.Popen(command_line, stdin=subprocess.PIPE, stdout=2, pass_fds=[writing])
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
            self.folder.cleanup()
            if code >= 0 and code != PANIC:
                sys.exit(f"the program ended with {code}")
            os.kill(os.getpid(), signal.SIGABRT if code == PANIC else -code)
        if kind == "refused":
            raise RuntimeError(base64.b64decode(reply[0]).decode())
        return reply

    def __del__(self):
        self.process.kill()
        self.process.wait()
        self.folder.cleanup()


def encoded(data):
    return base64.b64encode(data).decode()


def write_files(folder, files):
    for name, content in files.items():
        with open(os.path.join(folder, name), "w") as file:
            file.write(content)


#: plain
def load(path):
    return Program(path)


def passed(name, value):
    if isinstance(value, np.ndarray):
        kind, shape, data = value.dtype.name, value.shape, encoded(value.tobytes())
    elif isinstance(value, tuple) and value[0] in PASSED_TYPES:
        kind, shape, data = value
        data = ",".join("=" + encoded(text) for text in data) if kind == "string" else encoded(data)
    else:
        raise RuntimeError(f"a value that the program does not pass: {value!r}")
    return [encoded(name.encode()), kind, ",".join(map(str, shape)) or "-", data or "-"]


def decoded(words):
    """Takes the next value off the words: an array, a list, or (type, shape, data) where numpy has no such array."""
    kind = words.pop(0)
    if kind == "(":
        items = []
        while words[0] != ")":
            items.append(decoded(words))
        words.pop(0)
        return items
    shape, data = words.pop(0), words.pop(0).strip("-")
    shape = [] if shape == "-" else [int(size) for size in shape.split(",")]
    if kind == "string":
        return kind, shape, [base64.b64decode(text[1:]) for text in data.split(",") if text]
    content = base64.b64decode(data)
    has_array = kind in np.sctypeDict and math.prod(shape) * np.dtype(kind).itemsize == len(content)
    return np.frombuffer(content, kind).reshape(shape) if has_array else (kind, shape, content)


def run(program, feeds):
    words = program.ask("run", *[word for feed in feeds.items() for word in passed(*feed)])
    results = []
    while words:
        results.append(decoded(words))
    return results
