"""`python -m ifcert.cluster ORDER`, as the command with --on starts it; ORDER is a JSON object."""

import json
import os
import shutil
import signal
import sys
from collections.abc import Callable
from pathlib import Path

from ifcert.cluster.driver import Driver, Job, Place, begin, now, say
from ifcert.cluster.fuzz_job import Fuzz
from ifcert.cluster.jobs import Certify, History
from ifcert.cluster.ledger import Ledger
from ifcert.cluster.on_local import Local
from ifcert.cluster.on_ray import OnRay
from ifcert.cluster.order import Order
from ifcert.cluster.shard import Project, Undone, digest_of_project

JOBS: dict[str, Callable[[Order], Job]] = {"certify": Certify, "fuzz": Fuzz, "history": History}


def main() -> int:
    """The exit code of the command."""
    said = json.loads(sys.argv[1])
    project = Project(Path(said.pop("program")), Path(said.pop("root")))
    order = Order(said.pop("command"), project, said.pop("given"), said)
    digest = digest_of_project(project)
    job: Job = JOBS[order.command](order)
    folder = order.out / "cluster"
    if order.command == "certify" and not order.has("--resume") and not order.has("--replace") and folder.exists():
        raise Undone(f"{folder} has an earlier run: --resume continues it, --replace begins again")
    resume = order.has("--resume") or order.command == "history"
    ledger = Ledger(folder / "ledger.jsonl", order.settings() | {"project": digest}, resume=resume)
    if "finished" in ledger.lines[-1]:
        shutil.rmtree(folder / "shards", ignore_errors=True)  # of a driver that was killed after its last line
        print(f"Nothing to resume: {ledger.file} is complete")
        return int(ledger.lines[-1]["finished"])
    if len(ledger.lines) == 1:
        shutil.rmtree(folder / "shards", ignore_errors=True)
        job.begin()
    (folder / "shards").mkdir(exist_ok=True)
    on = order.given["--on"][0]
    begin(ledger, on)
    place = place_of(on, order, digest)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # Ray has replaced it
    try:
        code = job.finish(Driver(job, place, ledger, folder / "shards", digest), order)
    finally:
        place.close()
    if code < 2:
        ledger.add({"finished": code, "when": now()})
        shutil.rmtree(folder / "shards")
    print(f"The node of each shard: {ledger.file}")
    return code


def place_of(on: str, order: Order, digest: str) -> Place:
    """local, local=N, ray or ray=ADDRESS."""
    kind, _, value = on.partition("=")
    cwd = str(Path.cwd())
    if kind == "local":
        return Local(int(value or os.cpu_count() or 1), order.project, digest, cwd)
    return OnRay(value, int(order.jobs()[1]), order.project, cwd)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        sys.exit(main())
    except (Undone, OSError) as fault:
        say(str(fault))
        sys.exit(2)
    except KeyboardInterrupt:
        say("interrupted; the same command with --resume continues")
        sys.exit(2)
