"""Workers on a cluster of Ray: actors, one for each processor (or for as many as --jobs says)."""

import logging
import os
import tempfile
import time
from itertools import count
from pathlib import Path
from typing import Any

from ifcert.cluster import node, wheel
from ifcert.cluster.driver import Answer, Event, Lost, Ready
from ifcert.cluster.shard import Outcome, Project, Shard, Undone, digest_of_project

COUNTED_EVERY = 5.0  # seconds: the processors of the cluster
FAILED_STARTS = 5  # one after the other; then no more workers are started


class Worker:
    """Runs in a process of Ray on some node."""

    def __init__(self, project: Project | None, cwd: str) -> None:
        """`project` is the driver's, where nodes see its checkout; otherwise this was imported from a wheel."""
        import ray

        self.project = project or installed_project()
        self.digest = digest_of_project(self.project)
        self.name = f"{node.own_name()}/{ray.get_runtime_context().get_node_id()[:8]}"
        self.cwd = cwd

    def hello(self) -> tuple[str, str]:
        """The node, and the digest of what it works with."""
        return self.name, self.digest

    def do(self, shard: Shard) -> Outcome:
        """Its outcome."""
        return node.done(shard, self.project, self.digest, self.name, self.cwd)


def installed_project() -> Project:
    """Of the wheel that this module is from."""
    folder = Path(__file__).parents[1] / "installed"
    program = folder / "bin" / "ifcert"
    program.chmod(0o755)  # where Ray unpacked it
    return Project(program, folder / "share" / "ifcert")


class OnRay:
    """A place with as many workers as the cluster has processors for."""

    def __init__(self, address: str, jobs: int, project: Project, cwd: str) -> None:
        """Without an address it is the cluster that runs on this machine; if none does, one is started."""
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        try:
            import ray
        except ImportError:
            raise Undone("--on ray needs the package ray: pip install 'ifcert[cluster]'") from None
        self.ray: Any = ray
        environment: dict[str, Any] = {}
        with tempfile.TemporaryDirectory() as folder:
            if wheel.is_installed():
                environment["py_modules"] = [str(wheel.write_wheel(Path(folder)))]
            else:
                environment["env_vars"] = {"PYTHONPATH": ":".join(places_of_package())} | environments_of_adapters()
            try:
                ray.init(
                    address=address or None, runtime_env=environment, log_to_driver=False, logging_level=logging.ERROR
                )
            except (ConnectionError, ValueError, RuntimeError) as fault:
                raise Undone(f"cannot reach the cluster: {fault}{hint(address)}") from None
        self.made = ray.remote(num_cpus=jobs, max_restarts=0)(Worker)
        self.arguments = (None if wheel.is_installed() else project, cwd)
        self.jobs = jobs
        self.numbers = count(1)
        self.actors: dict[str, Any] = {}
        self.starting: dict[Any, str] = {}  # reference → worker
        self.working: dict[Any, str] = {}
        self.failed_starts = 0
        self.counted = 0.0

    def start_workers(self) -> None:
        """As many as there are processors for; nodes come and go."""
        if time.monotonic() - self.counted < COUNTED_EVERY or self.failed_starts >= FAILED_STARTS:
            return
        self.counted = time.monotonic()
        wanted = int(self.ray.cluster_resources().get("CPU", 0)) // self.jobs
        while len(self.actors) < wanted:
            worker = f"ray-{next(self.numbers)}"
            self.actors[worker] = self.made.remote(*self.arguments)
            self.starting[self.actors[worker].hello.remote()] = worker

    def give(self, worker: str, shard: Shard) -> None:
        """To a worker that waits."""
        self.working[self.actors[worker].do.remote(shard)] = worker

    def events(self, seconds: float) -> list[Event]:
        """All answers that are there."""
        self.start_workers()
        pending = [*self.starting, *self.working]
        if not pending:
            time.sleep(seconds)
            return []
        some, _ = self.ray.wait(pending, timeout=seconds)
        more, _ = self.ray.wait(pending, num_returns=len(pending), timeout=0) if some else ([], [])
        return [self.event_of(reference) for reference in {*some, *more}]

    def event_of(self, reference: Any) -> Event:  # noqa: ANN401 (Ray is optional, so its types are unknown here)
        """The event that the completion of a reference means."""
        starts = reference in self.starting
        worker = self.starting.pop(reference) if starts else self.working.pop(reference)
        try:
            answer = self.ray.get(reference)
        except self.ray.exceptions.RayError as fault:
            self.actors.pop(worker, None)
            self.failed_starts += starts
            return Lost(worker, " ".join(str(fault).split())[:300])
        if starts:
            self.failed_starts = 0
            return Ready(worker, *answer)
        return Answer(worker, answer)

    def expects_workers(self) -> bool:
        """Some have not said hello."""
        return bool(self.starting)

    def close(self) -> None:
        """Ends the workers, and the cluster if it was started here."""
        self.ray.shutdown()


def hint(address: str) -> str:
    """Ray sends its token, which most clusters demand, to an address only if it is told to."""
    return "; if it demands a token, set RAY_AUTH_MODE=token" if address and "RAY_AUTH_MODE" not in os.environ else ""


def environments_of_adapters() -> dict[str, str]:
    """As the command line's process has them, for workers that see the same files."""
    return {name: value for name, value in os.environ.items() if name == "IFCERT_ADAPTERS" or name.startswith("PIP_")}


def places_of_package() -> list[str]:
    """For a Python that is to import this package from its checkout."""
    import ifcert

    return [str(Path(folder).parent) for folder in ifcert.__path__]
