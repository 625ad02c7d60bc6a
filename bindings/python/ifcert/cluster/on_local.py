"""Workers on this machine: threads, each of which waits for its command."""

import queue
import threading

from ifcert.cluster import node
from ifcert.cluster.driver import Answer, Event, Ready
from ifcert.cluster.shard import Project, Shard


class Local:
    """A place with that many workers."""

    def __init__(self, workers: int, project: Project, digest: str, cwd: str) -> None:
        """They are ready at once."""
        self.happened: queue.SimpleQueue[Event] = queue.SimpleQueue()
        self.shards: dict[str, queue.SimpleQueue[Shard]] = {}
        name = node.own_name()
        for number in range(1, workers + 1):
            worker = f"local-{number}"
            self.shards[worker] = queue.SimpleQueue()
            arguments = (worker, project, digest, name, cwd)
            threading.Thread(target=self.work, args=arguments, daemon=True).start()

    def work(self, worker: str, project: Project, digest: str, name: str, cwd: str) -> None:
        """Until the process ends, and with it the command that runs."""
        self.happened.put(Ready(worker, name, digest))
        while True:
            self.happened.put(Answer(worker, node.done(self.shards[worker].get(), project, digest, name, cwd)))

    def give(self, worker: str, shard: Shard) -> None:
        """To a worker that waits."""
        self.shards[worker].put(shard)

    def events(self, seconds: float) -> list[Event]:
        """The next one."""
        try:
            return [self.happened.get(timeout=seconds)]
        except queue.Empty:
            return []

    def expects_workers(self) -> bool:
        """All are ready from the beginning."""
        return False

    def close(self) -> None:
        """The threads end with the process."""
