"""Decode types for the first time in many threads, in forks of this process.

Run it with `python -m tests.services.first_decodes`. Each fork has imported the service but started no thread. The program
prints how each fork ended.
"""
import os
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, get_args, get_type_hints
from uuid import UUID

import msgspec

import ludarium.server  # noqa: F401  imports the whole service
from ludarium.api.app import routes
from ludarium.tournaments.events import TournamentOpened
from ludarium.tournaments.state import TournamentState
from ludarium_engine.kernel.contract import checked_options
from ludarium_engine.kernel.decoding import converter, json_decoder, prepared_types
from ludarium_engine.registry import titles

INTERPRETERS, THREADS, LATE = 12, 8, 100
PLAN = {"tables": {"ruleset": "game-of-kingdoms"}, "stages": [{"format": "swiss", "seats": 4, "rounds": 2}]}
PART = {"numbers": [1], "names": {"one": 1}}
VALUE = {"parts": [PART], "other": PART}
Work = Callable[[], object]


def main() -> None:
    sys.setswitchinterval(1e-6)
    everything = [*uses(), *conversions(), *late_types()]
    assert threading.active_count() == 1
    ends = Counter(os.waitstatus_to_exitcode(ended(everything)) for _ in range(INTERPRETERS))
    print(len(everything), dict(ends))


def ended(everything: Sequence[Work]) -> int:
    """Run all work in a fork, in all threads at once, and return the exit status."""
    if child := os.fork():
        return os.waitpid(child, 0)[1]
    barrier = threading.Barrier(THREADS)
    threads = [threading.Thread(target=together, args=(everything, barrier)) for _ in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    os._exit(0)


def together(everything: Sequence[Work], barrier: threading.Barrier) -> None:
    for work in everything:
        barrier.wait()
        with suppress(msgspec.ValidationError):         # most values do not fit: only a crash counts
            work()


def uses() -> Iterator[Work]:
    """Yield the service's work in threads, with the types that it decodes."""
    routes(limited=False)
    opened = TournamentOpened(bytes(32), "owner", PLAN, b"{}", 1)
    yield partial(TournamentState, UUID(int=1), opened, b"")
    for title in titles().values():
        yield partial(checked_options, title, {}, title.seats.start)


def conversions() -> Iterator[Work]:
    """Yield a conversion to each struct that has a decoder, with all fields."""
    for kind in structs_in(prepared_types()):
        yield partial(msgspec.convert, value_for(kind), kind)


def late_types() -> Iterator[Work]:
    """Yield uses of new types, like those of a title that threads load late.

    Their decoders either exist already or are made in the thread.
    """
    for nth in range(LATE):
        yield partial(decode_late, late_type(nth))
        yield partial(converter(late_type(nth)), VALUE)


def late_type(nth: int) -> Any:
    part = msgspec.defstruct(f"Part{nth}", [("numbers", list[int]), ("names", dict[str, int])])
    return msgspec.defstruct(f"Late{nth}", [("parts", list[part]), ("other", part)])        # type: ignore[valid-type]


def decode_late(kind: Any) -> object:
    return json_decoder(kind)(msgspec.json.encode(VALUE))


def structs_in(kinds: Sequence[Any]) -> list[type[msgspec.Struct]]:
    """Return these structs and all structs in their fields, without msgspec.inspect.

    msgspec.inspect would already fill the tables whose first use is tested.
    """
    found, left = dict[Any, None](), [*kinds]
    while left:
        kind = left.pop()
        left += get_args(kind)
        if isinstance(kind, type) and kind not in found:
            found[kind] = None
            left += hints_of(kind).values()
    return [kind for kind in found if issubclass(kind, msgspec.Struct)]


def hints_of(kind: type) -> dict[str, Any]:
    return get_type_hints(kind, include_extras=True) if issubclass(kind, msgspec.Struct | tuple) else {}


def value_for(kind: type[msgspec.Struct]) -> Any:
    config, names = kind.__struct_config__, kind.__struct_encode_fields__
    if config.array_like:
        return [*([config.tag] if config.tag is not None else []), *(None for _ in names)]
    return {name: None for name in names} | ({config.tag_field: config.tag} if config.tag_field else {})


if __name__ == "__main__":
    main()
