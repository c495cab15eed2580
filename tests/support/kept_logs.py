"""Stored logs in the form in which each release wrote them.

`python -m tests.support.kept_logs` adds missing logs and never changes an existing one. A file is gzipped msgpack with the
stream's id and secret, the documents that its rows refer to, and the stored rows. Every later release must load, fold,
verify, show and export these logs. `answers.json` has the result of each game under the current rules; `--answers` writes
that file again, which is needed after a change of rules. `--sample` prints a small sample of logs that together cover
everything that all logs cover.
"""
from __future__ import annotations

import asyncio
import gzip
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import timedelta
from functools import partial
from pathlib import Path
from uuid import UUID

import msgspec

from ludarium.records.present_rules import Comparison, compare
from ludarium.tables.model import documents
from ludarium.tables.model.event_types import UnreadEvent
from ludarium.tables.model.events import Acted, BranchStarted, GameStarted, TableEnded, TableOpened
from ludarium.tables.model.hash_chain import EPOCH, decoded_entries, microseconds
from ludarium_engine.kernel import Event
from ludarium_engine.kernel.facts import Agenda
from ludarium_engine.kernel.published import document_hash
from ludarium_engine.registry import titles
from ludarium_engine.testkit.fuzz import Case, cases
from ludarium_eventstore import Append, EventStore, NewEvent, StoredEvent
from tests.records.lived import ENDS
from tests.support.pure_games import Game
from tests.support.streams import planted

FOLDER = Path(__file__).parents[1] / "records/kept"
ANSWERS = FOLDER / "answers.json"
SAMPLE = {
    "game-of-kingdoms": [
        "abandoned", "resigned", "ruthless-4", "ruthless-false-2", "standard-5", "standard-6", "timed-out", "undo",
    ],
    "kemet": ["abandoned", "beginner-3", "long-4", "resigned", "running", "short-2", "short-5", "timed-out"],
    "lights-in-the-fog": ["2", "4", "abandoned", "resigned", "timed-out"],
    "valeria": [
        "abandoned", "first_game-1", "first_game-4", "glittering_gold-true-1", "mastery_over_magic-per_type-1",
        "monster_blood-false-3", "monster_blood-false-5", "resigned", "timed-out", "true-2",
    ],
    "valley-of-the-kings": [
        "abandoned", "afterlife-2", "base-english-opponents-true-3", "base-own_pile-opponents-true-2", "last_rites-3",
        "last_rites-4", "premium-true-true-2", "premium-true-true-3", "premium-true-true-5", "premium-true-true-6", "resigned",
        "timed-out",
    ],
}  # fmt: skip
"""By title, a few logs that cover everything that all logs cover. `features` defines what that is; `--sample` finds them."""
ALL = "KEPT_LOGS"
"""Set this environment variable to `all` to choose every log, as `make prove ONLY=kept` does."""


class KeptRow(msgspec.Struct, array_like=True, frozen=True):
    type: int
    schema: int
    at_us: int
    data: bytes
    root: bytes
    hash: bytes


class Kept(msgspec.Struct, array_like=True, frozen=True):
    stream: bytes
    secret: bytes
    documents: list[bytes]
    rows: list[KeptRow]


def missing() -> Iterator[tuple[str, Game]]:
    """Yield the name and the game of each log whose file does not exist yet.

    For each title, there is one game of each variant with each number of seats, a game with an undone move, an unfinished
    game, and games whose seats change.
    """
    for name, begin in begun().items():
        if not path_of(name).exists():
            yield name, begin()


def begun() -> dict[str, Callable[[], Game]]:
    """Return the functions that play the games, by the name of the log."""
    whole = {name_of(case): partial(played, name_of(case), case) for title in titles().values() for case in cases(title)}
    lived = {f"{title}-{end}": partial(play, f"{title}-{end}", title) for title in titles() for end, play in ENDS.items()}
    return whole | lived | {
        "game-of-kingdoms-undo": lambda: Game("undo", "game-of-kingdoms", 2, {"version": "standard"}).start().undo().play(),
        "kemet-running": lambda: Game("running", "kemet", 3).start().play(60),
    }


def played(name: str, case: Case) -> Game:
    return Game(name, case.title.id, case.seats, dict(case.raw)).start().play()


def name_of(case: Case) -> str:
    return "-".join([case.title.id, *(str(value).lower() for value in case.raw.values()), str(case.seats)])


def path_of(name: str) -> Path:
    return FOLDER / f"{name}.gz"


def kept(game: Game) -> Kept:
    rows = [
        KeptRow(entry.type, entry.schema, microseconds(entry.at), entry.data, entry.root, entry.hash) for entry in game.rows
    ]
    title, read = game.history.title, [entry.event for entry in game.rows if not isinstance(entry.event, UnreadEvent)]
    named = {document for row in read for document in documents.named_by(title, row)}
    return Kept(game.stream.bytes, game.history.secret.data, sorted(named), rows)


def names() -> list[str]:
    return sorted(path.name.removesuffix(".gz") for path in FOLDER.glob("*.gz"))


def chosen() -> list[str]:
    """Return the names of the sample, or of all logs if KEPT_LOGS is `all`."""
    return names() if os.environ.get(ALL) == "all" else sample()


def sample() -> list[str]:
    return [f"{title}-{game}" for title, games in SAMPLE.items() for game in games]


def read(name: str) -> Kept:
    return msgspec.msgpack.decode(gzip.decompress(path_of(name).read_bytes()), type=Kept)


async def load(store: EventStore, log: Kept) -> UUID:
    """Load a log into a store unchanged, and return the id of the table."""
    stream = UUID(bytes=log.stream)
    for document in log.documents:
        await store.put_document(document_hash(document), document)
    events = [
        NewEvent(row.type, row.schema, EPOCH + timedelta(microseconds=row.at_us), row.data, row.root, row.hash)
        for row in log.rows
    ]
    await planted(store, Append(stream, 0, events, secret=log.secret))
    return stream


# --- the sample -------------------------------------------------------------------------------------------------------
def features(name: str) -> set[tuple[object, ...]]:
    """Return everything that a log covers of its title.

    This includes the seats, options, event types, endings, and whatever the game uses.
    """
    entries = decoded_entries(stored(read(name)))
    events = [entry.event for entry in entries]
    opened = events[0]
    assert isinstance(opened, TableOpened)
    found: set[tuple[object, ...]] = {("seats", opened.seats), ("over", any(isinstance(event, TableEnded) for event in events))}
    found |= {("option", option, str(value)) for option, value in opened.options.items()}
    for entry in entries:
        found.add(("event", entry.type, entry.schema))
        match entry.event:
            case TableEnded() as ended:
                found.add(("end", ended.reason))
            case Acted() | GameStarted() | BranchStarted() as played:
                found |= {*used_by(played.event)}
    return {(opened.ruleset, *each) for each in found}


def used_by(event: Event) -> Iterator[tuple[object, ...]]:
    """Yield the verb of an event, its types of facts and sentences, and its questions.

    A question determines which prompts and offers are made.
    """
    yield "verb", event.action.verb
    for fact in event.facts:
        yield "fact", type(fact).__name__, getattr(fact, "what", None)
        if isinstance(fact, Agenda):
            yield from (("question", frame.script, frame.row) for frame in fact.frames)


def smallest_sample() -> list[str]:
    """Choose a small set of logs that covers everything that all logs cover.

    Logs with the most coverage for their length are chosen first. Logs that add nothing to the others are then
    dropped.
    """
    covers, length = {name: features(name) for name in names()}, {name: len(read(name).rows) for name in names()}
    wanted, found = set().union(*covers.values()), list[str]()
    while left := wanted.difference(*(covers[name] for name in found)):
        found.append(max(covers, key=lambda name: (len(covers[name] & left) / length[name], name)))
    for name in sorted(found, key=lambda name: -length[name]):
        others = [other for other in found if other != name]
        if set().union(*(covers[other] for other in others)) == wanted:
            found = others
    return sorted(found)


# --- under today's rules ----------------------------------------------------------------------------------------------
def answers() -> dict[str, str]:
    return msgspec.json.decode(ANSWERS.read_bytes(), type=dict[str, str])


async def answer(name: str) -> str:
    log = read(name)
    documents_by_hash = {document_hash(document): document for document in log.documents}
    rows = decoded_entries(stored(log))

    async def document(hash_: bytes) -> bytes | None:
        return documents_by_hash.get(hash_)

    await documents.provide_for(document, [entry.event for entry in rows])
    return brief(compare(UUID(bytes=log.stream), rows))


def brief(found: Comparison) -> str:
    """Return where the two games diverge and how each of them ends, as text."""
    if found.verdict == "same":
        return "same"
    return f"differs at {found.differs}, refused at {found.refuses}; {found.stored} as stored, {found.now} now"


def stored(log: Kept) -> Iterator[StoredEvent]:
    stream = UUID(bytes=log.stream)
    for version, row in enumerate(log.rows):
        at, secret = EPOCH + timedelta(microseconds=row.at_us), None if version else log.secret
        yield StoredEvent(version, stream, version, row.type, row.schema, at, row.data, row.root, row.hash, secret)


async def write_answers() -> None:
    found = {name: await answer(name) for name in names()}
    ANSWERS.write_bytes(msgspec.json.format(msgspec.json.encode(found), indent=1) + b"\n")
    print(Counter(each.partition(" ")[0] for each in found.values()))


def write() -> int:
    FOLDER.mkdir(exist_ok=True)
    for name, game in missing():
        path_of(name).write_bytes(gzip.compress(msgspec.msgpack.encode(kept(game)), mtime=0))
        print(f"{name}: {len(game.rows)} rows")
    return 0


if __name__ == "__main__":
    if "--sample" in sys.argv:
        sys.exit(print(*smallest_sample(), sep="\n"))
    sys.exit(asyncio.run(write_answers()) if "--answers" in sys.argv else write())
