"""Uses memory without limit (2 GiB at most, in case it is not stopped) once there is nothing left to answer."""

import time

from honest import Honest, serve

if __name__ == "__main__":
    serve(Honest())
    kept = []
    for _ in range(128):
        kept.append(b"\1" * (16 << 20))
        time.sleep(0.01)
