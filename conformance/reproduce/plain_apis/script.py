"""The scripts of `ifcert reproduce` besides the calls: the short ones have `bits` of this, the long ones the rest."""


#: bits
def bits(values):  # equal for values that are equal bit for bit
    return [(array.dtype.name, array.shape, array.tobytes()) for array in map(np.asarray, values)]


#: bits of lists
def bits(value):  # equal for values that are equal bit for bit
    if value is None or isinstance(value, list):
        return value and [bits(each) for each in value]
    array = np.asarray(value)
    return array.dtype.name, array.shape, array.tolist() if array.dtype == object else array.tobytes()


#: guard
import base64
import os
import signal
import sys
import tempfile
import zlib

DEFECT = 3
if child := os.fork():  # the parent process sees a crash or a hang of the runtime
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if code < 0:
        print(f"not as expected: the process was ended by {signal.Signals(-code).name}")
    sys.exit(1 if code < 0 or code == DEFECT else 2 if code else 0)
signal.alarm(60)

import numpy as np


#: judge
LOADED, REFUSED = "loaded", "refused"


def attempt(call, *arguments):
    """The runtime's answer, or the exception with which it refuses."""
    try:
        return call(*arguments)
    except Exception as error:
        return error


def settle(right):
    print("as expected" if right else "not as expected", flush=True)
    os._exit(0 if right else DEFECT)


def see(step, returned, *expected, due=False):
    """Shows a step. `due`: the model is illegal, and this step or a later one must refuse it."""
    shown = returned if isinstance(returned, list | Exception) else LOADED
    print(f"{step}\n    returned: {shown!r}\n    expected: {' or '.join(map(repr, expected))}", flush=True)
    if isinstance(returned, Exception):  # an unexpected refusal is a defect, unless documented as not supported
        settle(REFUSED in expected)
    if due or LOADED in expected:
        return
    outputs = [each for each in expected if isinstance(each, list)]
    if not any(len(returned) == len(each) and all(map(same, returned, each)) for each in outputs):
        print("    bits:", [parts(each) for each in returned])
        settle(False)


#: threads
import threading


def at_once(model, feeds):
    """A thread for each run, started together."""
    barrier, returned = threading.Barrier(len(feeds)), [None] * len(feeds)

    def one(place):
        barrier.wait()
        returned[place] = attempt(run, model, feeds[place])

    threads = [threading.Thread(target=one, args=[place]) for place in range(len(feeds))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return returned
