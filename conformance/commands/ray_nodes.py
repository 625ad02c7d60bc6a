"""Clusters of Ray on this machine, for tests."""

import contextlib
import importlib.util
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest

needs_ray = pytest.mark.skipif(importlib.util.find_spec("ray") is None, reason="Ray is not installed")
THIS = Path(sys.executable)
RAY = "from ray.scripts.scripts import main; main()"  # the command, which an environment may lack


@contextlib.contextmanager
def cluster_of_two(folder: Path, tiny: Path | None = None) -> Iterator[tuple[str, int]]:
    """Its address, and the process of its second node."""
    with cluster_of_one(folder) as address, node([f"--address={address}"], folder, tiny=tiny) as second:
        subprocess.run([sys.executable, "-c", BOTH_NODES_ARE_THERE, address], timeout=240, check=True)
        yield address, second.pid


@contextlib.contextmanager
def cluster_of_one(folder: Path, python: Path = THIS, variables: dict[str, str] | None = None) -> Iterator[str]:
    """Its address. `python` has Ray, and the node has these variables."""
    with contextlib.closing(socket.socket()) as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"127.0.0.1:{port}"
    # Of its own: Ray would demand the user's, if there is one, and would not send it to an address.
    token = {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)}
    head = ["--head", f"--port={port}", "--include-dashboard=false", f"--temp-dir={session_of(address)}"]
    try:
        with (
            patch.dict(os.environ, token),
            node([*head, "--node-ip-address=127.0.0.1"], folder, python=python, variables=variables),
        ):
            wait_for(address)
            yield address
    finally:
        shutil.rmtree(session_of(address), ignore_errors=True)


@contextlib.contextmanager
def node(
    words: list[str],
    folder: Path,
    *,
    tiny: Path | None = None,
    python: Path = THIS,
    variables: dict[str, str] | None = None,
) -> Iterator[subprocess.Popen[bytes]]:
    """A node with one worker; with `tiny`, its folder for temporary files is a disk of 16 KiB."""
    ray = [str(python), "-c", RAY, "start", "--block", "--num-cpus=1", "--disable-usage-stats"]
    command = [*ray, "--object-store-memory=80000000", *words]
    environment = os.environ | {"RAY_USAGE_STATS_ENABLED": "0", "RAY_worker_niceness": "0"} | (variables or {})
    if tiny:
        command = ["bwrap", "--dev-bind", "/", "/", "--size", "16384", "--tmpfs", str(tiny), *command]
        environment |= {"TMPDIR": str(tiny)}
    with (folder / f"node{len(words)}{bool(tiny)}.log").open("wb") as log:
        process = subprocess.Popen(command, env=environment, stdout=log, stderr=log, start_new_session=True)
        try:
            yield process
        finally:
            for number in (signal.SIGTERM, signal.SIGKILL):
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, number)
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(15)


BOTH_NODES_ARE_THERE = """
import sys, time, ray
ray.init(sys.argv[1], log_to_driver=False)
while ray.cluster_resources().get("CPU") != 2:
    time.sleep(0.2)
"""


def session_of(address: str) -> Path:
    """The folder of a cluster's files. Sockets have short names, so it is directly in /tmp."""
    return Path(f"/tmp/ifcert-ray-{os.getpid()}-{address.rsplit(':', 1)[1]}")


def wait_for(address: str) -> None:
    """Until its first node answers."""
    host, port = address.split(":")
    end = time.monotonic() + 60
    while True:
        with contextlib.suppress(OSError), socket.create_connection((host, int(port)), 1):
            return
        assert time.monotonic() < end, "the cluster has not started"
        time.sleep(0.2)
