"""Headless Chromium, driven by the DevTools protocol over a pipe: no port, no websocket, no library."""

import base64
import fcntl
import json
import os
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any, Self

OPTIONS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--hide-scrollbars", "--disable-background-networking", "--disable-component-update", "--remote-debugging-pipe",
]  # fmt: skip
PATIENCE = 60  # seconds for one command


class BrowserError(Exception):
    """The browser, or a script in the page, has failed."""


def _high(descriptor: int) -> int:
    """Moves a pipe to a number that does not collide with Chromium's own 3 and 4."""
    moved = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 10)
    os.close(descriptor)
    return moved


class Browser:
    """One Chromium process. Its pages are opened by `open`."""

    def __init__(self, profile: Path) -> None:
        """Starts it with an empty profile of its own."""
        binary = shutil.which("chromium")
        if not binary:
            raise BrowserError("chromium is not installed; scripts/setup installs it")
        read_end, self._to = map(_high, os.pipe())
        self._from, write_end = map(_high, os.pipe())
        # The pipe's numbers are fixed: it reads commands from 3 and writes answers to 4.
        script = f'exec "$@" 3<&{read_end} 4>&{write_end}'
        self._log = (profile.parent / f"{profile.name}.log").open("wb")
        self._process = subprocess.Popen(
            ["bash", "-c", script, "chromium", binary, *OPTIONS, f"--user-data-dir={profile}"],
            pass_fds=(read_end, write_end), stdout=self._log, stderr=self._log,
        )  # fmt: skip
        os.close(read_end)
        os.close(write_end)
        self._answers = os.fdopen(self._from, "rb", buffering=0)
        self._rest = b""
        self._last = 0
        self.events: list[dict[str, Any]] = []

    def __enter__(self) -> Self:
        """For `with`."""
        return self

    def __exit__(self, *_: object) -> None:
        """Ends the process."""
        os.close(self._to)
        self._answers.close()
        try:
            self._process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._log.close()

    def _receive(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            part = self._answers.read(1 << 16)
            if not part:
                raise BrowserError("chromium ended")
            self._rest += part
        message, _, self._rest = self._rest.partition(b"\0")
        return json.loads(message)

    def command(self, method: str, session: str = "", **parameters: Any) -> dict[str, Any]:  # noqa: ANN401
        """Sends one command and waits for its answer; events received meanwhile are saved."""
        self._last += 1
        message: dict[str, Any] = {"id": self._last, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self._to, data) :]
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            answer = self._receive()
            if answer.get("id") == self._last:
                if "error" in answer:
                    raise BrowserError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.events.append(answer)
        raise BrowserError(f"{method}: no answer within {PATIENCE} s")

    def open(self, address: str, width: int = 1400, height: int = 900, scheme: str = "light") -> "Page":
        """Loads a page of that size in the requested colours."""
        return Page(self, address, width, height, scheme)


class Page:
    """A tab of its own, with the messages of its console."""

    def __init__(self, browser: Browser, address: str, width: int, height: int, scheme: str) -> None:
        """Opens `address` and waits until it is loaded."""
        self._browser = browser
        self._target = browser.command("Target.createTarget", url="about:blank")["targetId"]
        self._session = browser.command("Target.attachToTarget", targetId=self._target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.command(f"{domain}.enable")
        self.size(width, height)
        self.command("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.command("Page.navigate", url=address)
        self.evaluate(
            "if (document.readyState !== 'complete') await new Promise((done) => addEventListener('load', done));"
        )

    def command(self, method: str, **parameters: Any) -> dict[str, Any]:  # noqa: ANN401
        """Sends a command to this page."""
        return self._browser.command(method, self._session, **parameters)

    def size(self, width: int, height: int) -> None:
        """The size of the window in CSS pixels; narrow ones are phones."""
        self.command(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 500
        )

    def evaluate(self, script: str) -> Any:  # noqa: ANN401
        """Runs the body of an async function in the page; returns its result, as JSON."""
        done = self.command(
            "Runtime.evaluate", expression=f"(async () => {{ {script} }})()", awaitPromise=True, returnByValue=True
        )
        if "exceptionDetails" in done:
            raise BrowserError(done["exceptionDetails"]["exception"].get("description", "an exception"))
        return done["result"].get("value")

    def press(self, key: str, code: int, text: str = "", modifiers: int = 0) -> None:
        """Presses a key as a user does."""
        for kind in ("keyDown", "keyUp"):
            extra = {"text": text} if text and kind == "keyDown" else {}
            self.command(
                "Input.dispatchKeyEvent",
                type=kind,
                key=key,
                code=key,
                windowsVirtualKeyCode=code,
                modifiers=modifiers,
                **extra,
            )

    def said(self) -> list[str]:
        """The messages of the console, the log and uncaught exceptions in this page so far."""
        words = []
        for event in self._browser.events:
            if event.get("sessionId") != self._session:
                continue
            parameters = event["params"]
            match event["method"]:
                case "Runtime.consoleAPICalled":
                    words.append(" ".join(str(each.get("value", each)) for each in parameters["args"]))
                case "Runtime.exceptionThrown":
                    details = parameters["exceptionDetails"]
                    words.append(details.get("exception", {}).get("description", details["text"]))
                case "Log.entryAdded":
                    words.append(parameters["entry"]["text"])
        return words

    def requests(self) -> list[str]:
        """The addresses that this page has requested."""
        return [
            event["params"]["request"]["url"]
            for event in self._browser.events
            if event.get("sessionId") == self._session and event["method"] == "Network.requestWillBeSent"
        ]

    def screenshot(self, file: Path, whole: bool = False) -> None:
        """A PNG of the window, or of the whole page."""
        data = self.command("Page.captureScreenshot", captureBeyondViewport=whole)["data"]
        file.write_bytes(base64.b64decode(data))

    def close(self) -> None:
        """Closes the tab."""
        self._browser.command("Target.closeTarget", targetId=self._target)
