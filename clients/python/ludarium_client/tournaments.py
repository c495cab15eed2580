"""Generated from `async_tournaments.py` by `make schema`: do not edit."""

from collections.abc import Sequence
from typing import Any

from ludarium_client.bodies import (
    ActBody,
    AutopilotAct,
    BlockedPairs,
    BracketBody,
    BulkTable,
    CrosstableBody,
    DelayAct,
    DraftEdit,
    EntryList,
    FeatureAct,
    HandsBody,
    ListedName,
    NewTournament,
    OpenedTable,
    OwnInvitations,
    OwnPlace,
    PauseAct,
    PenaltyAct,
    Recutting,
    ReplaceAct,
    ReplayAct,
    RoundBody,
    RulingAct,
    SentInvitations,
    SharedAddresses,
    StandingsBody,
    StreamBody,
    TimeAct,
    TournamentBody,
    TournamentChange,
    TournamentPage,
    WhyBody,
)
from ludarium_client.messages import RowPush
from ludarium_client.primitives import Run, Stream
from ludarium_client.tournament_operations import Picture, Role, Sheet, Status, TournamentOperations


class Tournaments:
    def __init__(self, run: Run, do: TournamentOperations) -> None:
        self._run, self._do = run, do

    def create(self, tournament: NewTournament) -> TournamentBody:
        """Set one up, which nobody can enter before it is opened."""
        told: TournamentBody = self._run(self._do.create(tournament))
        return told

    def page(self, status: Status | None = None, ruleset: str | None = None, after: str | None = None) -> TournamentPage:
        """Those that were opened, the newest first."""
        told: TournamentPage = self._run(self._do.page(status, ruleset, after))
        return told

    def get(self, tournament: str) -> TournamentBody:
        """What is played, by whom it is held, how far it has come."""
        told: TournamentBody = self._run(self._do.get(tournament))
        return told

    def change(self, tournament: str, change: TournamentChange) -> ActBody:
        """Set it up otherwise, before its first round is drafted."""
        told: ActBody = self._run(self._do.change(tournament, change))
        return told

    def open(self, tournament: str, seq: int) -> ActBody:
        """Let players enter."""
        told: ActBody = self._run(self._do.open(tournament, seq))
        return told

    def close(self, tournament: str, seq: int) -> ActBody:
        """Let nobody enter any more."""
        told: ActBody = self._run(self._do.close(tournament, seq))
        return told

    def cancel(self, tournament: str, seq: int) -> ActBody:
        """Give it up for good."""
        told: ActBody = self._run(self._do.cancel(tournament, seq))
        return told

    def give_role(self, tournament: str, player: str, role: Role | None, seq: int = 0) -> ActBody:
        """Make somebody an official, or none any more."""
        told: ActBody = self._run(self._do.give_role(tournament, player, role, seq))
        return told

    def accept_role(self, tournament: str) -> ActBody:
        """Accept an invitation to be an official."""
        told: ActBody = self._run(self._do.accept_role(tournament))
        return told

    def decline_role(self, tournament: str) -> ActBody:
        """Decline an invitation to be an official."""
        told: ActBody = self._run(self._do.decline_role(tournament))
        return told

    def entries(self, tournament: str) -> EntryList:
        """Everybody who has entered."""
        told: EntryList = self._run(self._do.entries(tournament))
        return told

    def enter(self, tournament: str, code: str = "") -> ActBody:
        """Enter it; the answer has the number of one's entry."""
        told: ActBody = self._run(self._do.enter(tournament, code))
        return told

    def leave(self, tournament: str) -> ActBody:
        """Withdraw."""
        told: ActBody = self._run(self._do.leave(tournament))
        return told

    def check_in(self, tournament: str) -> ActBody:
        """Say that one is there."""
        told: ActBody = self._run(self._do.check_in(tournament))
        return told

    def mine(self, tournament: str) -> OwnPlace:
        """One's table in the newest round."""
        told: OwnPlace = self._run(self._do.mine(tournament))
        return told

    def import_entries(self, tournament: str, csv: str) -> ActBody:
        """Invite players, by lines of `player,rating,name`; an organiser enters them at once."""
        told: ActBody = self._run(self._do.import_entries(tournament, csv))
        return told

    def invitations(self, tournament: str) -> SentInvitations:
        """List the players who are invited and have not accepted, as a host."""
        told: SentInvitations = self._run(self._do.invitations(tournament))
        return told

    def uninvite(self, tournament: str, player: str) -> ActBody:
        """Withdraw an invitation that was not accepted, as a host."""
        told: ActBody = self._run(self._do.uninvite(tournament, player))
        return told

    def own_invitations(self) -> OwnInvitations:
        """List the tournaments to which you are invited. `enter` accepts, `leave` declines."""
        told: OwnInvitations = self._run(self._do.own_invitations())
        return told

    def change_listed_name(self, tournament: str, name: str | None) -> None:
        """Change the name that a host has listed you under, or remove it."""
        self._run(self._do.change_listed_name(tournament, name))

    def seed(self, tournament: str, entry: int, rating: int, seq: int) -> ActBody:
        """Say how strong an entry is."""
        told: ActBody = self._run(self._do.seed(tournament, entry, rating, seq))
        return told

    def mend_name(self, tournament: str, entry: int, name: str) -> ListedName:
        """Say otherwise what a list of the host has called an entry."""
        told: ListedName = self._run(self._do.mend_name(tournament, entry, name))
        return told

    def remove(self, tournament: str, entry: int, seq: int) -> ActBody:
        """Withdraw an entry at the desk."""
        told: ActBody = self._run(self._do.remove(tournament, entry, seq))
        return told

    def draft(self, tournament: str, seq: int, stage: int = 1) -> ActBody:
        """Draft the next round of a stage; the answer has its number."""
        told: ActBody = self._run(self._do.draft(tournament, seq, stage))
        return told

    def round(self, tournament: str, round: int, stage: int = 1) -> RoundBody:
        """Who plays whom at which table, and how it went."""
        told: RoundBody = self._run(self._do.round(tournament, round, stage))
        return told

    def edit(self, tournament: str, round: int, edit: DraftEdit, stage: int = 1) -> ActBody:
        """Change a draft by hand."""
        told: ActBody = self._run(self._do.edit(tournament, round, edit, stage))
        return told

    def publish(self, tournament: str, round: int, seq: int, stage: int = 1) -> ActBody:
        """Publish a draft; its tables are opened."""
        told: ActBody = self._run(self._do.publish(tournament, round, seq, stage))
        return told

    def recut(self, tournament: str, round: int, recut: Recutting, stage: int = 1) -> ActBody:
        """Change who sits at which board before it begins."""
        told: ActBody = self._run(self._do.recut(tournament, round, recut, stage))
        return told

    def close_round(self, tournament: str, round: int, seq: int, stage: int = 1) -> ActBody:
        """Close a round whose tables are over."""
        told: ActBody = self._run(self._do.close_round(tournament, round, seq, stage))
        return told

    def rule(self, tournament: str, round: int, board: int, ruling: RulingAct, stage: int = 1) -> ActBody:
        """Rule on a table."""
        told: ActBody = self._run(self._do.rule(tournament, round, board, ruling, stage))
        return told

    def dispute(self, tournament: str, round: int, board: int, reason: str, stage: int = 1) -> ActBody:
        """Ask the desk to look at one's own table."""
        told: ActBody = self._run(self._do.dispute(tournament, round, board, reason, stage))
        return told

    def give_nonce(self, tournament: str, nonce: bytes) -> ActBody:
        """Mix something into the chance of the rounds that are published from now on."""
        told: ActBody = self._run(self._do.give_nonce(tournament, nonce))
        return told

    def blocks(self, tournament: str) -> BlockedPairs:
        """Pairs of entries of which one has blocked the other."""
        told: BlockedPairs = self._run(self._do.blocks(tournament))
        return told

    def shared_addresses(self, tournament: str) -> SharedAddresses:
        """Which entries came from the same address within 30 days; for the owner."""
        told: SharedAddresses = self._run(self._do.shared_addresses(tournament))
        return told

    def forbid(self, tournament: str, pairs: Sequence[Sequence[int]], seq: int) -> ActBody:
        """Say which entries are not to meet."""
        told: ActBody = self._run(self._do.forbid(tournament, pairs, seq))
        return told

    def take_back(self, tournament: str, round: int, seq: int, stage: int = 1) -> ActBody:
        """Take back the last change of a draft, or the draft."""
        told: ActBody = self._run(self._do.take_back(tournament, round, seq, stage))
        return told

    def penalize(self, tournament: str, entry: int, penalty: PenaltyAct) -> ActBody:
        """Take points from an entry."""
        told: ActBody = self._run(self._do.penalize(tournament, entry, penalty))
        return told

    def replace(self, tournament: str, entry: int, replacement: ReplaceAct) -> ActBody:
        """Let another player go on as an entry."""
        told: ActBody = self._run(self._do.replace(tournament, entry, replacement))
        return told

    def replay(self, tournament: str, round: int, board: int, replay: ReplayAct, stage: int = 1) -> ActBody:
        """Have a board played again."""
        told: ActBody = self._run(self._do.replay(tournament, round, board, replay, stage))
        return told

    def pause(self, tournament: str, pause: PauseAct) -> ActBody:
        """Pause all of it, as an official."""
        told: ActBody = self._run(self._do.pause(tournament, pause))
        return told

    def resume(self, tournament: str, seq: int) -> ActBody:
        """Have all of it go on."""
        told: ActBody = self._run(self._do.resume(tournament, seq))
        return told

    def pause_table(self, tournament: str, round: int, board: int, pause: PauseAct, stage: int = 1) -> ActBody:
        """Pause one table."""
        told: ActBody = self._run(self._do.pause_table(tournament, round, board, pause, stage))
        return told

    def resume_table(self, tournament: str, round: int, board: int, seq: int, stage: int = 1) -> ActBody:
        """Have one table go on."""
        told: ActBody = self._run(self._do.resume_table(tournament, round, board, seq, stage))
        return told

    def add_time(self, tournament: str, round: int, board: int, time: TimeAct, stage: int = 1) -> ActBody:
        """Give one of those who play at a table time."""
        told: ActBody = self._run(self._do.add_time(tournament, round, board, time, stage))
        return told

    def feature(self, tournament: str, round: int, board: int, feature: FeatureAct, stage: int = 1) -> ActBody:
        """Show a table first, or no longer."""
        told: ActBody = self._run(self._do.feature(tournament, round, board, feature, stage))
        return told

    def set_autopilot(self, tournament: str, autopilot: AutopilotAct) -> ActBody:
        """Let it go on by itself, or no longer."""
        told: ActBody = self._run(self._do.set_autopilot(tournament, autopilot))
        return told

    def set_delay(self, tournament: str, delay: DelayAct) -> ActBody:
        """Say how late spectators see the tables that are opened from now on."""
        told: ActBody = self._run(self._do.set_delay(tournament, delay))
        return told

    def hands(self, tournament: str, round: int, board: int, stage: int = 1) -> HandsBody:
        """Look at all hands of a table, which everybody is told."""
        told: HandsBody = self._run(self._do.hands(tournament, round, board, stage))
        return told

    def standings(self, tournament: str, stage: int | None = None, after_round: int | None = None) -> StandingsBody:
        """Who stands where, and by what."""
        told: StandingsBody = self._run(self._do.standings(tournament, stage, after_round))
        return told

    def why(self, tournament: str, entry: int) -> WhyBody:
        """Why an entry stands where it does, in sentences."""
        told: WhyBody = self._run(self._do.why(tournament, entry))
        return told

    def crosstable(self, tournament: str, stage: int | None = None) -> CrosstableBody:
        """What every entry did in every round."""
        told: CrosstableBody = self._run(self._do.crosstable(tournament, stage))
        return told

    def bracket(self, tournament: str, stage: int | None = None) -> BracketBody:
        """All rounds of a stage."""
        told: BracketBody = self._run(self._do.bracket(tournament, stage))
        return told

    def stream(self, tournament: str) -> StreamBody:
        """All rows, to compute everything again."""
        told: StreamBody = self._run(self._do.stream(tournament))
        return told

    def sheet(self, tournament: str, name: Sheet, stage: int | None = None) -> bytes:
        """As CSV."""
        told: bytes = self._run(self._do.sheet(tournament, name, stage))
        return told

    def picture(self, tournament: str, name: Picture, stage: int | None = None) -> bytes:
        """As SVG."""
        told: bytes = self._run(self._do.picture(tournament, name, stage))
        return told

    def report(self, tournament: str, stage: int | None = None) -> bytes:
        """A TRF16 file, of a stage of two at a table."""
        told: bytes = self._run(self._do.report(tournament, stage))
        return told

    def records(self, tournament: str, after: str | None = None, limit: int = 20) -> list[dict[str, Any]]:
        """The records of the games that are over, at most 100 at a time; go on behind the last one's `table`."""
        told: list[dict[str, Any]] = self._run(self._do.records(tournament, after, limit))
        return told

    def create_tables(self, tables: Sequence[BulkTable]) -> list[OpenedTable]:
        """Tables for pairings of one's own, up to 100; each is opened, or says why not."""
        told: list[OpenedTable] = self._run(self._do.create_tables(tables))
        return told

    def follow(self, tournament: str, after: int = -1) -> Stream[RowPush]:
        """Its rows behind `after`, and each new one, without end."""
        reader = self._do.reader(tournament, after)
        try:
            while True:
                yield self._run(reader.next())
        finally:
            self._run(reader.close())
