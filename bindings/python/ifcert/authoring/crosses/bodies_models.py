"""The main network of a row, for OpenVINO IR and TensorFlow Lite: an If at a site, and what is around it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ifcert.authoring.crosses.bodies import Array, Body, Dims, Value
from ifcert.authoring.crosses.dimensions import Row

# What is fed, by name, in the order of the main network's inputs; a model has those that it reads.
SCALARS = {
    "e": "bool",
    "d": "bool",
    "c": "bool",
    "m": "int32",
    "n": "int32",
    "q": "bool",
    "r": "bool",
    "trips": "int32",
}
LIMIT = 13  # between the sums of what then and else compute of x

Scope = Mapping[str, Value]


@dataclass(frozen=True)
class Site:
    """What the pieces of one model have in common; `closed`: each body has only the parameters that it reads."""

    row: Row
    closed: bool

    @property
    def element(self) -> str:
        """The element type of x."""
        return self.row["type"]

    @property
    def length(self) -> Dims:
        """The dims of x."""
        return {"known": (2,), "unknown": (None,), "rank": None}[self.row["declared"]]

    @property
    def returned(self) -> Dims:
        """The dims of what the If returns."""
        if self.row["declared"] == "rank" or self.row["shapes"] == "rank":
            return None
        return self.length if self.row["shapes"] == "same" else (None,)

    def array(self, *numbers: int) -> Array:
        """These numbers as the type of x; as booleans those above 4 are true."""
        held = np.array(numbers)
        return held > 4 if self.element == "bool" else held.astype(self.element)

    def scalar(self, number: int) -> Array:
        """A number as the type of x; true as a boolean."""
        return np.array(True) if self.element == "bool" else np.array(number, self.element)

    def operators(self) -> tuple[str, str]:
        """What then and else compute."""
        return ("and", "xor") if self.element == "bool" else ("add", "multiply")


def main_body(row: Row, *, closed: bool) -> Body:
    """The main network, with the inputs that it reads and its results called y0, y1, …"""
    site = Site(row, closed)
    main = Body("m")
    scope = {name: main.takes(Value(name, element, ()), name) for name, element in SCALARS.items()}
    for name in ("x", "w"):
        scope[name] = main.takes(Value(name, site.element, site.length), name)
    scope["k"] = main.takes(Value("k", site.element, ()), "k")
    if row["operand"] == "main":
        scope["k"] = main.constant(site.scalar(2))
    results = PLACES[row["place"]](main, scope, site)
    if row["cond"] == "output":
        results = [*results, scope["c"]]
    main.results = list(results)
    main.parameters = [value for value in main.parameters if value.name in _read(main)]
    return main


# --- where the If lies


def _in_main(body: Body, scope: Scope, site: Site) -> Sequence[Value]:
    return _site(body, scope, site)


def _in_if(
    inner: Callable[[Body, Scope, Site], Sequence[Value]], cond: str, *, then: bool
) -> Callable[..., Sequence[Value]]:
    """The place in a body of another If on `cond`; its other body returns x for each result, or 0."""

    def placed(body: Body, scope: Scope, site: Site) -> Sequence[Value]:
        entered, around = _body(f"{body.name}{cond}", scope), _body(f"{body.name}{cond}o", scope)
        entered[0].results = list(inner(*entered, site))
        around[0].results = [
            around[1]["x"]
            if value.element == site.element and value.dims != ()
            else around[0].constant(np.zeros((), value.element))
            for value in entered[0].results
        ]
        results = [
            body.fresh(
                value, None if value.dims is None or around[1]["x"].dims is None else _joined(value.dims, other.dims)
            )
            for value, other in zip(entered[0].results, around[0].results, strict=True)
        ]
        pair = (entered[0], around[0]) if then else (around[0], entered[0])
        return _if(body, scope[cond], scope, pair, results, site)

    return placed


def _joined(one: Dims, other: Dims) -> Dims:
    if one is None or other is None or len(one) != len(other):
        return None
    return tuple(a if a == b else None for a, b in zip(one, other, strict=True))


def _body(name: str, scope: Scope) -> tuple[Body, dict[str, Value]]:
    """A body with a parameter for each value of the scope, and its own scope."""
    body = Body(name)
    return body, {key: body.takes(value) for key, value in scope.items()}


def _if(
    body: Body, cond: Value, scope: Scope, bodies: tuple[Body, Body], results: Sequence[Value], site: Site
) -> Sequence[Value]:
    """An If whose bodies have a parameter for each value of the scope: those that nobody reads are removed."""
    values = list(scope.values())
    reads = [[value.name in _read(each) for value in each.parameters] for each in bodies]
    taken = [any(read) for read in zip(*reads, strict=True)]
    operands = [cond, *(value for value, is_taken in zip(values, taken, strict=True) if is_taken)]
    ports = []
    for each, read in zip(bodies, reads, strict=True):
        kept = [i for i in range(len(values)) if (read[i] if site.closed else taken[i])]
        ports.append([1 + sum(taken[:i]) for i in kept])
        each.parameters = [each.parameters[i] for i in kept]
    return body.chosen(operands, results, bodies, ports)


def _read(body: Body) -> set[str]:
    """The names of the values that something in the body reads, or that it returns."""
    operands = [value.name for operation in body.operations for value in operation.operands]
    return {*operands, *(value.name for value in body.results)}


def _in_loop(body: Body, scope: Scope, site: Site) -> Sequence[Value]:
    """The body of a While, which carries the first result as x, and the others for the loop to return."""
    inner, carried = _body(f"{body.name}loop", scope)
    trip = inner.takes(Value("", "int32", ()))
    found = list(_site(inner, carried, site))
    starts = [
        scope["x"] if value.element == site.element and value.dims != () else body.constant(np.zeros((), value.element))
        for value in found
    ]
    for value in found:
        inner.takes(value)
    turned = {"c": inner.made("not", carried["c"])} if site.row["cond"] == "carried" else {}
    first = {"x": found[0]} if found[0].element == site.element and found[0].dims != () else {}
    after = inner.made("add", trip, inner.constant(np.int32(1)))
    inner.results = [*(carried | turned | first).values(), after, *found]
    more, seen = _body(f"{body.name}more", scope)
    now = more.takes(Value("", "int32", ()))
    for value in found:
        more.takes(value)
    more.results = [more.made("less", now, seen["trips"], element="bool")]
    operands = [*scope.values(), body.constant(np.array(0, np.int32)), *starts]
    results = [body.fresh(value, value.dims if value.dims == () else site.returned) for value in operands]
    _while(body, operands, results, more, inner)
    return results[-len(found) :]


def _while(body: Body, operands: Sequence[Value], results: Sequence[Value], more: Body, inner: Body) -> None:
    """A While without the variables that nothing reads and its body returns as they are."""
    read = [{value.name for operation in each.operations for value in operation.operands} for each in (more, inner)]
    more_read = read[0] | {value.name for value in more.results}
    kept = [
        i
        for i, value in enumerate(inner.parameters)
        if value.name in read[1] or more.parameters[i].name in more_read or inner.results[i] is not value
    ]
    more.parameters = [more.parameters[i] for i in kept]
    inner.parameters = [inner.parameters[i] for i in kept]
    inner.results = [inner.results[i] for i in kept]
    body.looped([operands[i] for i in kept], [results[i] for i in kept], more, inner)


def _in_loop_cond(body: Body, scope: Scope, site: Site) -> Sequence[Value]:
    """The cond of a While, which goes on while the sum of the If's result is small; its body adds to x."""
    more, seen = _body(f"{body.name}more", scope)
    now = more.takes(Value("", "int32", ()))
    (found,) = _site(more, seen, site)
    small = more.made("less", _sum(more, found), more.constant(np.array(18, np.int32)), element="bool", dims=())
    soon = more.made("less", now, seen["trips"], element="bool")
    more.results = [more.made("and", small, soon)]
    inner, carried = _body(f"{body.name}loop", scope)
    trip = inner.takes(Value("", "int32", ()))
    larger = inner.made("add", carried["x"], inner.constant(site.scalar(2)))
    after = inner.made("add", trip, inner.constant(np.int32(1)))
    inner.results = [*(carried | {"x": larger}).values(), after]
    operands = [*scope.values(), body.constant(np.array(0, np.int32))]
    results = [body.fresh(value) for value in operands]
    _while(body, operands, results, more, inner)
    return [results[list(scope).index("x")], results[-1]]


PLACES: dict[str, Callable[..., Sequence[Value]]] = {
    "main": _in_main,
    "then": _in_if(_in_main, "e", then=True),
    "else": _in_if(_in_main, "e", then=False),
    "deep": _in_if(_in_if(_in_main, "d", then=True), "e", then=False),
    "loop": _in_loop,
    "loopcond": _in_loop_cond,
}


# --- the If, the second one beside it, and what reads its results


def _site(body: Body, scope: Scope, site: Site) -> Sequence[Value]:
    cond = _cond(body, scope, site)
    results = list(_choice(body, scope, cond, site, ""))
    match site.row["identity"]:
        case "none":
            beside = []
        case "shared":
            beside = [_again(body, scope, site)]
        case key:
            beside = [_choice(body, scope, cond, site, key)[0]]
    return [*_reads(body, scope, cond, site, results), *beside]


def _again(body: Body, scope: Scope, site: Site) -> Value:
    """The first result of a second If that invokes the bodies of the last one, with w in place of x."""
    last = body.operations[-1]
    operands = [scope["w"] if value is scope["x"] else value for value in last.operands]
    results = [body.fresh(value) for value in last.results]
    return body.chosen(operands, results, last.bodies, last.ports)[0]


def _cond(body: Body, scope: Scope, site: Site) -> Value:
    first = site.row["first"] == "true"
    match site.row["cond"]:
        case "constant":
            return body.constant(np.array(first))
        case "folded":
            return body.made("not", body.constant(np.array(not first)))
        case "computed":
            return body.made("less", scope["m"], scope["n"], element="bool")
        case "chosen":
            pair = (_body(f"{body.name}q", scope), _body(f"{body.name}r", scope))
            pair[0][0].results = [pair[0][1]["q"]]
            pair[1][0].results = [pair[1][0].made("xor", pair[1][1]["q"], pair[1][1]["r"])]
            return _if(body, scope["c"], scope, (pair[0][0], pair[1][0]), [body.fresh(scope["q"])], site)[0]
        case _:
            return scope["c"]


def _reads(body: Body, scope: Scope, cond: Value, site: Site, results: list[Value]) -> list[Value]:
    first, *others = results
    operator, other = site.operators()
    match site.row["reader"]:
        case "operator":
            return [body.made(other, first, body.constant(site.scalar(3))), *others]
        case "both":
            return [first, body.made(other, first, body.constant(site.scalar(3))), *others]
        case "cond":
            total = _sum(body, first)
            small = body.made("less", total, body.constant(np.array(LIMIT, np.int32)), element="bool", dims=())
            return [
                _pair(body, small, {"total": total}, "total", "add", "multiply", np.array(100, np.int32), site),
                *others,
            ]
        case "bodies" | "branches":
            return [_pair(body, cond, {"first": first}, "first", operator, other, site.scalar(2), site), *others]
        case "unread":
            return others
        case _:
            return results


def _pair(
    body: Body, cond: Value, scope: Scope, name: str, operator: str, other: str, held: Array, site: Site
) -> Value:
    """The result of an If whose bodies apply these operators to a value and a constant."""
    bodies = []
    for each in (operator, other):
        inner, seen = _body(f"{body.name}{name}{each}", scope)
        inner.results = [inner.made(each, seen[name], inner.constant(held))]
        bodies.append(inner)
    return _if(body, cond, scope, (bodies[0], bodies[1]), [body.fresh(scope[name])], site)[0]


def _sum(body: Body, value: Value) -> Value:
    numbers = body.made("number", value, element="int32")
    return body.made("sum", body.made("flatten", numbers, dims=(None,)), dims=())


# --- the If itself


def _choice(body: Body, scope: Scope, cond: Value, site: Site, key: str) -> Sequence[Value]:
    """The results of the If, or, with a key, of the second If, which differs from it in that key."""
    row, count = site.row, int(site.row["outputs"])
    depth = {"none": 1, "1": 1, "2": 2, "3": 3}[row["capture"]]
    read = {"v": scope["w" if key == "input" else "x"]}
    if row["operand"] != "own":
        read["k"] = scope["k"]
    if row["feeds"] == "uneven":
        read["w"] = scope["w"]
    return _level(body, read, cond, site, key, depth, count)


def _level(body: Body, read: Scope, cond: Value, site: Site, key: str, depth: int, count: int) -> Sequence[Value]:
    """An If on cond; each body returns the results of an If in it, until `depth` is 1."""
    prefix = "second" if key == "name" else "choice"
    feeds = site.row["feeds"] if depth == 1 else "plain"
    operands = dict(read)
    if depth > 1:
        operands["cond"] = cond
    if feeds in ("same", "twice"):
        operands["again"] = read["v"]
    bodies = []
    for then in (True, False):
        inner, seen = _body(f"{prefix}{depth}{'then' if then else 'else'}", operands)
        if feeds == "same":
            seen["v"] = seen["v" if then else "again"]
        if depth > 1:
            inner_read = {name: seen[name] for name in read}
            inner.results = list(_level(inner, inner_read, seen["cond"], site, key, depth - 1, count))
        else:
            inner.results = _leaf(inner, seen, site, key, then=then, twice=feeds == "twice", count=count)
        bodies.append(inner)
    if key == "swapped":
        bodies.reverse()
    results = [_result(body, value, site) for value in bodies[1].results]
    made = _if(body, cond, operands, (bodies[0], bodies[1]), results, site)
    return _fed_otherwise(body, made, feeds, site)


def _result(body: Body, value: Value, site: Site) -> Value:
    return body.fresh(value, () if value.dims == () else site.returned)


def _fed_otherwise(body: Body, made: Sequence[Value], feeds: str, site: Site) -> Sequence[Value]:
    """Changes how the If, the last operation of the body, is fed."""
    operation = body.operations[-1]
    ports = [list(each) for each in operation.ports]
    if feeds == "unread":
        operation = replace(operation, operands=[*operation.operands, operation.operands[0]])
        if not site.closed:
            for each in operation.bodies:
                each.takes(operation.operands[0])
                ports[operation.bodies.index(each)].append(len(operation.operands) - 1)
    if feeds == "crossed":
        operation.bodies[1].parameters.reverse()
        ports[1].reverse()
    if feeds == "twice" and site.closed:
        # The two operands are one value: both parameters take the first.
        first, again = (
            [i for i, value in enumerate(operation.operands) if value is operation.operands[1]][each]
            for each in (0, -1)
        )
        ports = [[first if port == again else port - (port > again) for port in each] for each in ports]
        operation = replace(operation, operands=[v for i, v in enumerate(operation.operands) if i != again])
    body.operations[-1] = replace(operation, ports=ports)
    return made


def _leaf(body: Body, seen: Scope, site: Site, key: str, *, then: bool, twice: bool, count: int) -> list[Value]:
    """What a body returns that computes."""
    row = site.row
    v = body.constant(site.array(3, 5)) if row["capture"] == "none" else seen["v"]
    operators = site.operators()
    other = operators[1] if then else operators[0]
    if twice:
        v = body.made(operators[0], v, seen["again"])
    if then and "w" in seen:
        v = body.made(operators[0], v, seen["w"])
    if row["operand"] == "own":
        number = 3 if key == "bytes" else 2
        held = site.scalar(number) if key != "shape" else site.array(number).reshape(1)
        if key == "bytes" and site.element == "bool":
            held = np.array(False)
        if key == "shape" and site.element == "bool":
            held = np.array([True])
        k = body.constant(held)
    else:
        k = seen["k"]
    returned = [_returned(body, v, k, _computed(site, key, then=then), site, then=then)]
    if count > 1:
        returned.append(returned[0] if row["returns"] == "twice" and then else body.made(other, v, k))
    if count > 2:
        returned.append(body.constant(np.array(7 if then else 8, np.int32)))
    _without_what_nobody_reads(body, returned)
    return returned


def _without_what_nobody_reads(body: Body, returned: Sequence[Value]) -> None:
    """Removes the operations of a body on whose results nothing depends that it returns."""
    read, kept = {value.name for value in returned}, []
    for operation in reversed(body.operations):
        if any(value.name in read for value in operation.results):
            read |= {value.name for value in operation.operands}
            kept.append(operation)
    body.operations = kept[::-1]


def _computed(site: Site, key: str, *, then: bool) -> tuple[str, bool]:
    """The operator, and whether it reads v twice instead of v and k."""
    operators = site.operators()
    if key == "operator":
        return (operators[1], False) if then else (operators[0], True)
    return operators[0 if then else 1], False


def _returned(body: Body, v: Value, k: Value, computed: tuple[str, bool], site: Site, *, then: bool) -> Value:
    row = site.row
    if then and row["shapes"] == "empty":
        return body.constant(site.array())
    if then and row["returns"] == "passed":
        return v
    if then and row["returns"] == "constant":
        return body.constant(site.array(7, 1))
    operator, twice = computed
    result = body.made(operator, v, v if twice else k)
    if not then and row["shapes"] == "length":
        return body.made("join", result, result, dims=(None,) if result.dims is not None else None)
    return body.made("deepen", result, dims=None) if not then and row["shapes"] == "rank" else result
