"""Verification of records: hashes, draws from the committed seed, and rules."""
from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from uuid import UUID

import msgspec

from ludarium.platform import ids
from ludarium.platform.problems import Problem
from ludarium.records.links import RowContent, VerificationFailed, check_links, is_whole
from ludarium.records.reading import ReadRecord, ReadRow
from ludarium.tables.event_views import body_of
from ludarium.tables.model import documents
from ludarium.tables.model.branches import UndoStates
from ludarium.tables.model.documents import under_layout
from ludarium.tables.model.endings import drawn, places
from ludarium.tables.model.event_types import UnreadEvent
from ludarium.tables.model.events import (
    NOTES,
    Acted,
    AnyTitle,
    BranchStarted,
    GameStarted,
    NamesRules,
    Reason,
    RulesChanged,
    SeedsRevealed,
    TableEnded,
    TableOpened,
    Undone,
)
from ludarium.tables.model.folding import empty_table
from ludarium.tables.model.hash_chain import (
    EPOCH,
    Damaged,
    LogEntry,
    NewerRelease,
    NoTable,
    StreamSecret,
    decoded_entries,
    is_undone,
    leaves_of,
    seen_bytes,
    undone_versions,
)
from ludarium.tables.model.table_state import TableState
from ludarium_engine.kernel import Chance, Illegal, RulesError, State, decide, new_game
from ludarium_engine.kernel.contract import PREFER
from ludarium_engine.kernel.decoding import from_json
from ludarium_engine.kernel.draws import is_draw, matches_seed
from ludarium_engine.kernel.facts import AnyFact
from ludarium_engine.registry import title_of, titles
from ludarium_eventstore import StoredEvent, chain


class TableReport(msgspec.Struct):
    """The result of a verification: what was verified, and the first fault.

    Attributes:
        rows: events in the chain.
        roots: events whose leaves were all recomputed.
        draws: shuffles and dice.
        rerun: decisions that the rules were run for again.
        made_under: other versions of the rules, whose decisions could not be rerun.
    """

    rows: int = 0
    roots: int = 0
    draws: int = 0
    rerun: int = 0
    made_under: list[str] = []
    finding: VerificationFailed | None = None


# --- entry points ---------------------------------------------------------------------------------------------------------
def verify(record: ReadRecord) -> TableReport:
    """Verify everything that can be verified in a record."""
    report = TableReport()
    try:
        stream = table_of(record)
        rows = check_links(stream, record)
        report.rows = len(rows)
        check_supported(rows)
        documents.keep(record.documents.layouts, record.documents.zones)
        if is_whole(record):
            check_log(stream, log_of(record, rows), report)
        check_event_bodies(record, rows)
    except VerificationFailed as broken:
        report.finding = broken
    return report


def verify_stream(stream: UUID, stored: Sequence[StoredEvent]) -> TableReport:
    """Verify a table's stored log in the same way as a complete record."""
    report = TableReport()
    try:
        check_log(stream, decoded_entries(stored), report)
    except Damaged as damage:
        report.finding = VerificationFailed(damage.version, damage.what)
    except VerificationFailed as broken:
        report.finding = broken
    return report


def table_of(record: ReadRecord) -> UUID:
    try:
        return ids.decode(record.table)
    except ValueError:
        raise VerificationFailed(None, "table: it is no table's id") from None


def log_of(record: ReadRecord, rows: Sequence[RowContent]) -> list[LogEntry]:
    """Return the events of a complete record in the form of the event store."""
    revealed = next((row for row in rows if isinstance(row, SeedsRevealed)), None)
    if revealed is None:
        raise VerificationFailed(len(rows) - 1, "everything is open, but the end that reveals the seeds is missing")
    secret = StreamSecret(revealed.seed, revealed.deal).data
    return [entry_of(read_row, row, secret) for read_row, row in zip(record.rows, rows, strict=True)]


def entry_of(read_row: ReadRow, row: RowContent, secret: bytes | None = None) -> LogEntry:
    at = EPOCH + timedelta(microseconds=read_row.at_us)
    data = read_row.opened[0].data if read_row.opened else b""
    shut = UnreadEvent(read_row.type, read_row.schema, "it is not open")
    return LogEntry(read_row.seq, at, row or shut, read_row.link, read_row.type, read_row.schema, data, read_row.root, secret)


# --- event bodies ---------------------------------------------------------------------------------------------------------
def check_event_bodies(record: ReadRecord, rows: Sequence[RowContent]) -> None:
    """Compare the readable events with the hashed bytes.

    Events under other rules than the present ones are not compared.
    """
    title, rules = title_as_played(rows), ""
    for read_row, row in zip(record.rows, rows, strict=True):
        rules = row.version if isinstance(row, NamesRules) else rules
        if row is None or title is None or (isinstance(row, GameStarted | Acted) and rules != title.version):
            continue
        if from_json(msgspec.json.encode(body_of(row, entry_of(read_row, row), title))) != read_row.event:
            raise VerificationFailed(read_row.seq, "what it says for people is not what it holds")


def title_as_played(rows: Sequence[RowContent]) -> AnyTitle | None:
    """Return the title under the present rules, with the data of the game."""
    first = rows[0]
    started = next((row for row in rows if isinstance(row, GameStarted)), None)
    if not isinstance(first, TableOpened) or first.ruleset not in titles():
        return None
    return title_of(first.ruleset, started.data if started else b"")


def check_supported(rows: Sequence[RowContent]) -> None:
    """Check that the title supports the rules that the events refer to.

    Raises:
        VerificationFailed: for the first event with an unsupported revision.
    """
    title = title_as_played(rows)
    for seq, row in enumerate(rows):
        if title is not None and isinstance(row, NamesRules):
            try:
                row.check_supported(title)
            except Problem as problem:
                raise VerificationFailed(seq, str(problem)) from problem


# --- a whole game ---------------------------------------------------------------------------------------------------------
def check_log(stream: UUID, rows: Sequence[LogEntry], report: TableReport) -> None:
    """Verify a whole log.

    Raises:
        VerificationFailed: for the first wrong event.
    """
    game = Rerun(report, UndoStates(stream, rows))
    try:
        table = empty_table(stream, rows)
        dead = undone_versions(table.title, rows)
        for entry in rows:
            table.check(entry)
            report.rows = entry.version + 1
            if entry.event.is_ahead(table.title):
                report.made_under.append("a newer release")
                return
            check_order(table, entry)
            game.follow(table, entry)
            table.add(entry, dead=is_undone(entry, dead))
    except Damaged as damage:
        raise VerificationFailed(damage.version, damage.what) from damage
    except (NewerRelease, NoTable) as error:
        raise VerificationFailed(0, f"{error}: only its bytes were checked") from error
    except Problem as problem:
        named = (entry.version for entry in rows if isinstance(entry.event, NamesRules))
        raise VerificationFailed(next(named, 0), str(problem)) from problem
    check_end(table)


def check_order(table: TableState, entry: LogEntry) -> None:
    """Check that the end of a table is followed only by the seeds and by notes."""
    if table.ended is None or entry.type >= NOTES:
        return
    if not isinstance(entry.event, SeedsRevealed) or table.revealed is not None:
        raise VerificationFailed(entry.version, "it stands behind the end of the table")


def check_end(table: TableState) -> None:
    """Check that a finished game ends its table, and that its seeds are right."""
    if table.ended is None and table.state is not None and table.state.outcome is not None:
        raise VerificationFailed(table.version, "the game is over, and the row that ends the table is missing")
    if table.revealed is not None and (table.revealed.seed, table.revealed.deal) != table.secret.seeds:
        raise VerificationFailed(table.version, "the seeds that are revealed are others")


class Rerun:
    """A game folded from its facts, for which the rules are run again.

    The facts must be the same as those that the rules produce.
    """

    def __init__(self, report: TableReport, branches: UndoStates) -> None:
        self.report, self.branches = report, branches
        self.state: State | None = None

    def follow(self, table: TableState, entry: LogEntry) -> None:
        """Check an event and fold it into the game; `table` is the state before the event.

        Raises:
            VerificationFailed: the event is wrong.
        """
        match entry.event:
            case GameStarted() as row:
                self.state = table.blank(entry.version, row.zones)
                self.check_decision(table, entry, row, row.version)
            case Acted() as row if self.state is not None:
                self.check_decision(table, entry, row, table.rules)
            case RulesChanged() as row if table.rules == row.version:
                raise VerificationFailed(entry.version, "the rules are the same as before")
            case RulesChanged() as row if self.state is not None:
                self.state = under_layout(table.title, self.state, table.layout, row.layout)
            case Undone() as row:
                back = self.branches.state_after(entry.version, row)
                self.state = under_layout(table.title, back, table.layout_at(row.to), table.layout)
            case TableEnded(reason, outcome):
                self.check_outcome(table, entry.version, reason, outcome)
        self.check_root(table, entry)
        if self.state is not None:
            self.branches.note(entry.version, self.state)

    def check_outcome(self, table: TableState, version: int, reason: Reason, outcome: list[int] | None) -> None:
        """Check the outcome of a table.

        It must be the outcome of the game or, if the game was stopped, of its last position. Outcomes decided by a host are not
        checked.
        """
        if reason != "voided" and (self.state is None or (self.state.outcome is None) == (reason == "finished")):
            raise VerificationFailed(version, "the reason is not how the game ended")
        foreign = table.rules != table.title.version
        if reason == "adjudicated" or (foreign and reason not in ("finished", "voided")):
            return
        if outcome != self.outcome_of(table, reason):
            raise VerificationFailed(version, "the outcome is not that of the game")

    def outcome_of(self, table: TableState, reason: Reason) -> list[int] | None:
        if reason == "voided" or self.state is None:
            return None
        found = places(table, table.as_today(self.state, table.version))
        return drawn(table, found) if reason == "agreed" else found

    def check_decision(self, table: TableState, entry: LogEntry, row: GameStarted | Acted, rules: str) -> None:
        is_present = rules == table.title.version
        if is_present and not isinstance(row, BranchStarted) and not (isinstance(row, Acted) and row.action.verb == PREFER):
            self.check_rerun(table, entry.version, row)
        elif not is_present and rules not in self.report.made_under:
            self.report.made_under.append(rules)
        self.fold(chance_of(table, row), entry.version, row.facts)

    def check_rerun(self, table: TableState, version: int, row: GameStarted | Acted) -> None:
        if self.rerun_facts(table, row) != row.facts:
            raise VerificationFailed(version, f"the rules {table.title.version}, under which it was made, do not make this")
        self.report.rerun += 1

    def rerun_facts(self, table: TableState, row: GameStarted | Acted) -> list[AnyFact] | None:
        """Return the facts that the rules produce, None if they refuse the action."""
        try:
            if isinstance(row, GameStarted):
                return new_game(table.title, table.options, table.opened.seats, chance_of(table, row))[1].facts
            state = self.state or table.playing
            return decide(table.title, state, row.seat, row.action, table.chance)[1].facts
        except (Illegal, RulesError):
            return None

    def fold(self, chance: Chance, version: int, facts: Sequence[AnyFact]) -> None:
        """Apply the facts, and compare each draw with the committed seed."""
        assert self.state is not None
        try:
            for fact in facts:
                self.report.draws += is_draw(fact)
                if not matches_seed(self.state, fact, chance):
                    raise VerificationFailed(version, "the committed seed does not give this shuffle or die")
                fact.apply(self.state)
        except (LookupError, TypeError, ValueError) as error:
            raise VerificationFailed(version, "a fact names what is not there") from error

    def check_root(self, table: TableState, entry: LogEntry) -> None:
        """Recompute the leaves of all audiences under the event's own schema and layout."""
        row = entry.event
        if isinstance(row, UnreadEvent):
            return
        layout = table.title.layout
        if table.layout != chain.NO_LAYOUT or isinstance(row, GameStarted):
            layout = documents.layout(row.layout if isinstance(row, NamesRules) else table.layout)
        seen = seen_bytes(layout, table.opened.seats, row)
        if chain.root(leaves_of(table.secret.seed, entry.version, seen)) != entry.root:
            raise VerificationFailed(entry.version, "its root is not that of what each audience may see")
        self.report.roots += 1


def chance_of(table: TableState, row: GameStarted | Acted) -> Chance:
    return table.chance_with(row.nonces) if isinstance(row, GameStarted) else table.chance
