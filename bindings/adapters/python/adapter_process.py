"""The runner's side of the protocol, for tests: one adapter process, with every line validated against the schemas."""

from __future__ import annotations

import json
import os
import subprocess
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import jsonschema

SECONDS = 60

FORMATS = {".xml": "openvino", ".tflite": "tflite", ".circle": "tflite"}  # any other file is ONNX

SCHEMAS = Path(__file__).resolve().parents[3] / "conformance" / "protocol"


def validator(name: str) -> jsonschema.Draft7Validator:
    """A validator for one of the protocol's schemas, after checking the schema itself."""
    schema = json.loads((SCHEMAS / name).read_text())
    jsonschema.Draft7Validator.check_schema(schema)
    return jsonschema.Draft7Validator(schema)


REQUEST, ANSWER = validator("request.schema.json"), validator("answer.schema.json")


class AdapterProcess:
    """Sends requests and validates; a message that does not match its schema raises jsonschema.ValidationError."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str] | None = None) -> None:
        """Start the adapter. A test may hang no longer than SECONDS: then the process is killed."""
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, env=environment)
        self._watchdog = threading.Timer(SECONDS, self._process.kill)
        self._watchdog.daemon = True
        self._watchdog.start()

    def ask(self, **request: object) -> dict[str, Any]:
        """One request, one answer."""
        REQUEST.validate(request)
        self._process.stdin.write(json.dumps(request).encode() + b"\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise EOFError(f"the adapter is gone: {self.leave(b'')}")
        answer = json.loads(line)
        ANSWER.validate(answer)
        return answer

    def load(self, model: Path) -> dict[str, Any]:
        """Send load as request 1; the file's extension determines the format."""
        return self.ask(cmd="load", id=1, format=FORMATS.get(model.suffix, "onnx"), model=str(model))

    def run(self, inputs: list[dict[str, Any]]) -> dict[str, Any]:
        """Send run as request 2."""
        return self.ask(cmd="run", id=2, inputs=inputs)

    def printed_so_far(self) -> bytes:
        """The present contents of standard error, without waiting for more."""
        os.set_blocking(self._process.stderr.fileno(), False)
        return self._process.stderr.read() or b""

    def leave(self, farewell: bytes = b'{"cmd":"bye"}\n') -> tuple[int, bytes, bytes]:
        """Send bye; returns the exit code, the rest of the protocol's output, and the contents of standard error."""
        os.set_blocking(self._process.stderr.fileno(), True)
        output, errors = self._process.communicate(farewell, timeout=SECONDS)
        self._watchdog.cancel()
        return self._process.returncode, output, errors

    def kill(self) -> None:
        """End it, whatever its state."""
        self._watchdog.cancel()
        self._process.kill()
        self._process.communicate()
