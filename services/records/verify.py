"""Does a record hold? Its chain, the chance that it committed to, and the rules themselves, run again."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import NamedTuple
from uuid import UUID

from engine import titles
from engine.kernel import PREFER, SPECTATOR, Chance, Illegal, RulesError, State, clone, decide, new
from engine.kernel.draws import as_drawn, is_draw
from engine.kernel.facts import AnyFact
from eventstore import StoredEvent, chain
from services.records.record import Record, RecordRow, table_of
from services.tables.chain import EPOCH
from services.tables.events import event_body
from services.tables.history import Damaged, Entry, History, entries, is_dead, opened, taken_back
from services.tables.rows import Acted, GameStarted, Undone, UnknownRow, decode


class Finding(NamedTuple):
    """What does not hold, and in which row."""

    seq: int
    what: str


class Report(NamedTuple):
    """rows: how many were checked; draws: shuffles and dice computed again; rerun: commands decided again."""

    rows: int
    draws: int
    rerun: int
    findings: list[Finding]


def verify(record: Record) -> Report:
    """Everything that the record lets one check; the first finding of each kind of check ends that kind."""
    try:
        broken = next(broken_links(record), None)
        if broken or record.seed is None:
            return Report(len(record.rows), 0, 0, [broken] if broken else [])
        return replayed(record)
    except UnknownRow as error:
        return Report(0, 0, 0, [Finding(0, str(error))])


# --- the chain --------------------------------------------------------------------------------------------------------
def broken_links(record: Record) -> Iterator[Finding]:
    prev = chain.genesis(table_of(record))
    for nth, row in enumerate(record.rows):
        if row.seq != nth:
            yield Finding(nth, f"row {row.seq} stands in its place")
        if record.seed is None and (what := seen_fault(record, row, prev)):
            yield Finding(nth, what)
        prev = row.hash


def seen_fault(record: Record, row: RecordRow, prev: bytes) -> str | None:
    """Of a row that shows what one audience saw: leaves of others stand as hashes."""
    if row.public is None:
        return "it lacks its public part"
    link = chain.link(prev, row.seq, row.type, row.schema, row.at_us, row.public, row.leaves)
    if link != row.hash:
        return "it does not fit its hash"
    if record.viewer is None:
        return None
    if row.own is None or chain.leaf(row.own.salt, row.own.data) != row.leaves[record.viewer]:
        return "what its seat saw does not fit its leaf"
    return None


# --- the whole game ---------------------------------------------------------------------------------------------------
def replayed(record: Record) -> Report:
    rows = [entry_of(row) for row in record.rows]
    report = checked(table_of(record), rows)
    title = titles()[record.ruleset]
    for entry, row in zip(rows, record.rows, strict=True):
        if event_body(entry, SPECTATOR, title) != row.event:
            report.findings.append(Finding(entry.version, "what it says for people is not what it holds"))
            break
    return report


def verify_stream(stream: UUID, stored: Sequence[StoredEvent]) -> Report:
    """A table's log as the store has it: everything that a whole record lets one check."""
    try:
        return checked(stream, entries(stored))
    except Damaged as damage:
        return Report(len(stored), 0, 0, [Finding(damage.version, damage.what)])


def checked(stream: UUID, rows: Sequence[Entry]) -> Report:
    findings: list[Finding] = []
    game = Replay()
    try:
        history = opened(stream, rows)
        dead = taken_back(rows)
        for entry in rows:
            history.check(entry)
            game.follow(history, entry, findings)
            history.add(entry, dead=is_dead(entry, dead))
    except Damaged as damage:
        findings.append(Finding(damage.version, damage.what))
    return Report(len(rows), game.draws, game.rerun, findings)


def entry_of(row: RecordRow) -> Entry:
    if row.whole is None:
        raise UnknownRow(f"row {row.seq} is not whole")
    return Entry(row.seq, EPOCH + timedelta(microseconds=row.at_us), decode(row.type, row.schema, row.whole), row.hash)


class Replay:
    """The game from its facts; beside it the rules, which must come to the same facts from the same actions."""

    def __init__(self) -> None:
        self.draws = self.rerun = 0
        self.state: State | None = None
        self.after: dict[int, State] = {}
        self.differs = False

    def follow(self, history: History, entry: Entry, findings: list[Finding]) -> None:
        """history: the table before the row."""
        match entry.row:
            case GameStarted() as row:
                self.run_again(history, entry.version, row, findings)
                self.state = history.title.blank(history.options, history.opened.seats)
                self.fold(self.state, history.chance, entry.version, row.facts, findings)
            case Acted() as row if self.state is not None:
                if row.action.verb != PREFER:
                    self.run_again(history, entry.version, row, findings)
                self.fold(self.state, history.chance, entry.version, row.facts, findings)
            case Undone(_, to):
                self.state = clone(self.after[to])
        if self.state is not None:
            self.after[entry.version] = clone(self.state)

    def run_again(
        self, history: History, version: int, row: GameStarted | Acted, findings: list[Finding]
    ) -> None:
        """Up to the first row that the rules would not have made: what follows stands on it."""
        if self.differs:
            return
        self.rerun += 1
        if self.decided(history, row) != row.facts:
            self.differs = True
            made, now = history.rules or row_version(row), history.title.version
            findings.append(Finding(version, f"made under rules {made}; the rules {now} would not have made this"))

    def decided(self, history: History, row: GameStarted | Acted) -> list[AnyFact] | None:
        """The facts that the rules come to; None if they refuse."""
        try:
            if isinstance(row, GameStarted):
                return new(history.title, history.options, history.opened.seats, history.chance)[1].facts
            state = self.state or history.playing
            return decide(history.title, state, row.seat, row.action, history.chance)[1].facts
        except (Illegal, RulesError):
            return None

    def fold(
        self, state: State, chance: Chance, version: int, facts: Sequence[AnyFact], findings: list[Finding]
    ) -> None:
        """Each draw as the seed gives it, in the state before it."""
        for fact in facts:
            self.draws += is_draw(fact)
            if not as_drawn(state, fact, chance):
                findings.append(Finding(version, "the committed seed does not give this shuffle or die"))
            fact.apply(state)


def row_version(row: GameStarted | Acted) -> str:
    return row.version if isinstance(row, GameStarted) else ""
