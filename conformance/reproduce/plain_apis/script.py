"""The parts of the scripts of `ifcert reproduce` besides the calls.

Words in capitals stand for what statements.cpp fills in; one that is a line of its own stands for lines.
"""


#: bits
def bits(values):  # equal for values that are equal bit for bit
    return [(array.dtype.name, array.shape, array.tobytes()) for array in map(np.asarray, values)]


#: bits of lists
def bits(value):  # equal for values that are equal bit for bit
    if value is None or isinstance(value, list):
        return value and [bits(each) for each in value]
    array = np.asarray(value)
    return array.dtype.name, array.shape, array.tolist() if array.dtype == object else array.tobytes()


#: load
print(f"{VERSION}expected: that the model loadsOR_REFUSAL", flush=True)
LOAD

#: run
expected = OUTPUTS
print(f"{VERSION}expected: {expected}OR_REFUSAL", flush=True)
LOAD
RUN
print("returned:", returned)
if bits(returned) != bits(expected):
    sys.exit(f"not as expected: {bits(returned)}")

#: runs
print(f"{VERSION}expected: that the model loadsOR_REFUSAL", flush=True)
LOAD
for feeds, expected in RUNS:
    print("expected:", expected, flush=True)
    RUN
    print("returned:", returned)
    if bits(returned) != bits(expected):
        sys.exit(f"not as expected: {bits(returned)}")

#: computed
COMPUTED
print("as expected")

#: either
try:
    COMPUTED
except Exception as error:
    print(f"refused: {error!r}")
print("as expected")

#: refusal
print(f"{VERSION}expected: a refusal", flush=True)
try:
    LOAD
    RUN
except Exception as error:
    print(f"refused: {error!r}\nas expected")
else:
    sys.exit("not as expected: nothing was refused")

#: shown run
RUN
print("returned:", returned, flush=True)

#: shown runs
for feeds in FEEDS:
    RUN
    print("returned:", returned, flush=True)

#: announcement
print(f"{VERSION}expected: OUTCOME", flush=True)

#: refusable
try:
    CALLS
except Exception as error:
    print(f"refused: {error!r}\nas expected")
    sys.exit()

#: step
expected = OUTCOMES  # any of these
print("step NUMBER, expected:", *expected, flush=True)
RUN
print("returned:", returned, flush=True)
if not any(same(returned, each) for each in expected):
    sys.exit(f"not as expected: {parts(returned)}")

#: step to refuse
RUN
print("returned:", returned, flush=True)

#: all as expected
print("as expected")

#: nothing refused
sys.exit("not as expected: nothing was refused")

#: concurrent runs
all_returned = at_once(model, FEEDS)


#: at once
def at_once(model, feeds):
    """A thread for each run, started together."""
    barrier = threading.Barrier(len(feeds))

    def one(each):
        barrier.wait()
        return run(model, each)

    with concurrent.futures.ThreadPoolExecutor(len(feeds)) as pool:
        return list(pool.map(one, feeds))
