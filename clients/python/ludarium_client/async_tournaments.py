"""Tournaments, for players and hosts (source of `tournaments.py`)."""

from collections.abc import Sequence
from typing import Any

from ludarium_client.async_primitives import Run, Stream
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
from ludarium_client.tournament_operations import Picture, Role, Sheet, Status, TournamentOperations


class AsyncTournaments:
    """Tournaments, for players and hosts.

    Host commands take the `seq` of what they change: `plan_seq` or `status_seq` of the tournament, or `seq` of the round. If it
    has changed since, they raise Problem `stale-desk`.
    """

    def __init__(self, run: Run, do: TournamentOperations) -> None:
        self._run, self._do = run, do

    async def create(self, tournament: NewTournament) -> TournamentBody:
        """Create a tournament. Players can enter once it is opened."""
        told: TournamentBody = await self._run(self._do.create(tournament))
        return told

    async def page(self, status: Status | None = None, ruleset: str | None = None, after: str | None = None) -> TournamentPage:
        """List opened tournaments, the newest first."""
        told: TournamentPage = await self._run(self._do.page(status, ruleset, after))
        return told

    async def get(self, tournament: str) -> TournamentBody:
        """Return a tournament: its plan, officials and progress."""
        told: TournamentBody = await self._run(self._do.get(tournament))
        return told

    async def change(self, tournament: str, change: TournamentChange) -> ActBody:
        """Replace the settings as a whole, before the first round is drafted."""
        told: ActBody = await self._run(self._do.change(tournament, change))
        return told

    async def open(self, tournament: str, seq: int) -> ActBody:
        """Open the registration."""
        told: ActBody = await self._run(self._do.open(tournament, seq))
        return told

    async def close(self, tournament: str, seq: int) -> ActBody:
        """Close the registration."""
        told: ActBody = await self._run(self._do.close(tournament, seq))
        return told

    async def cancel(self, tournament: str, seq: int) -> ActBody:
        """Cancel a tournament permanently. Running games end without a result."""
        told: ActBody = await self._run(self._do.cancel(tournament, seq))
        return told

    async def give_role(self, tournament: str, player: str, role: Role | None, seq: int = 0) -> ActBody:
        """Invite a player to be an official, or change an official's role.

        Only the owner may do this. With `role` None, remove the official.
        """
        told: ActBody = await self._run(self._do.give_role(tournament, player, role, seq))
        return told

    async def accept_role(self, tournament: str) -> ActBody:
        """Accept an invitation to be an official."""
        told: ActBody = await self._run(self._do.accept_role(tournament))
        return told

    async def decline_role(self, tournament: str) -> ActBody:
        """Decline an invitation to be an official."""
        told: ActBody = await self._run(self._do.decline_role(tournament))
        return told

    async def entries(self, tournament: str) -> EntryList:
        """List all entries."""
        told: EntryList = await self._run(self._do.entries(tournament))
        return told

    async def enter(self, tournament: str, code: str = "") -> ActBody:
        """Enter a tournament, accept an invitation to it, or come back to it.

        The answer has your entry's number. Invited players need no `code`.
        """
        told: ActBody = await self._run(self._do.enter(tournament, code))
        return told

    async def leave(self, tournament: str) -> ActBody:
        """Withdraw from all rounds not yet published, or decline an invitation."""
        told: ActBody = await self._run(self._do.leave(tournament))
        return told

    async def check_in(self, tournament: str) -> ActBody:
        """Check in before the start, which also accepts an invitation."""
        told: ActBody = await self._run(self._do.check_in(tournament))
        return told

    async def mine(self, tournament: str) -> OwnPlace:
        """Return your table in the newest round."""
        told: OwnPlace = await self._run(self._do.mine(tournament))
        return told

    async def import_entries(self, tournament: str, csv: str) -> ActBody:
        """Invite players, or enter them at once if you are an organiser.

        Args:
            tournament: the tournament's id.
            csv: lines of `player,rating,name`. If one is wrong, none counts.
        """
        told: ActBody = await self._run(self._do.import_entries(tournament, csv))
        return told

    async def invitations(self, tournament: str) -> SentInvitations:
        """List the players who are invited and have not accepted, as a host."""
        told: SentInvitations = await self._run(self._do.invitations(tournament))
        return told

    async def uninvite(self, tournament: str, player: str) -> ActBody:
        """Withdraw an invitation that was not accepted, as a host."""
        told: ActBody = await self._run(self._do.uninvite(tournament, player))
        return told

    async def own_invitations(self) -> OwnInvitations:
        """List the tournaments to which you are invited. `enter` accepts, `leave` declines."""
        told: OwnInvitations = await self._run(self._do.own_invitations())
        return told

    async def change_listed_name(self, tournament: str, name: str | None) -> None:
        """Change or remove (None) the name that a host has listed you under."""
        await self._run(self._do.change_listed_name(tournament, name))

    async def seed(self, tournament: str, entry: int, rating: int, seq: int) -> ActBody:
        """Set an entry's rating for seeding, before the first round is drafted."""
        told: ActBody = await self._run(self._do.seed(tournament, entry, rating, seq))
        return told

    async def mend_name(self, tournament: str, entry: int, name: str) -> ListedName:
        """Correct the name that a host has listed an entry under."""
        told: ListedName = await self._run(self._do.mend_name(tournament, entry, name))
        return told

    async def remove(self, tournament: str, entry: int, seq: int) -> ActBody:
        """Withdraw an entry, as a host."""
        told: ActBody = await self._run(self._do.remove(tournament, entry, seq))
        return told

    async def draft(self, tournament: str, seq: int, stage: int = 1) -> ActBody:
        """Draft the next round of a stage. The answer has the round's number."""
        told: ActBody = await self._run(self._do.draft(tournament, seq, stage))
        return told

    async def round(self, tournament: str, round: int, stage: int = 1) -> RoundBody:
        """Return a round: its pairings, tables and results."""
        told: RoundBody = await self._run(self._do.round(tournament, round, stage))
        return told

    async def edit(self, tournament: str, round: int, edit: DraftEdit, stage: int = 1) -> ActBody:
        """Change a draft by hand."""
        told: ActBody = await self._run(self._do.edit(tournament, round, edit, stage))
        return told

    async def publish(self, tournament: str, round: int, seq: int, stage: int = 1) -> ActBody:
        """Publish a draft and open its tables."""
        told: ActBody = await self._run(self._do.publish(tournament, round, seq, stage))
        return told

    async def recut(self, tournament: str, round: int, recut: Recutting, stage: int = 1) -> ActBody:
        """Change which entries sit at which board, before the games there begin."""
        told: ActBody = await self._run(self._do.recut(tournament, round, recut, stage))
        return told

    async def close_round(self, tournament: str, round: int, seq: int, stage: int = 1) -> ActBody:
        """Close a round whose tables are over."""
        told: ActBody = await self._run(self._do.close_round(tournament, round, seq, stage))
        return told

    async def rule(self, tournament: str, round: int, board: int, ruling: RulingAct, stage: int = 1) -> ActBody:
        """Rule on a table, as an official who does not play there."""
        told: ActBody = await self._run(self._do.rule(tournament, round, board, ruling, stage))
        return told

    async def dispute(self, tournament: str, round: int, board: int, reason: str, stage: int = 1) -> ActBody:
        """Ask the officials to check your table, within 15 minutes of its end."""
        told: ActBody = await self._run(self._do.dispute(tournament, round, board, reason, stage))
        return told

    async def give_nonce(self, tournament: str, nonce: bytes) -> ActBody:
        """Add a nonce to the randomness of all boards published from now on."""
        told: ActBody = await self._run(self._do.give_nonce(tournament, nonce))
        return told

    async def blocks(self, tournament: str) -> BlockedPairs:
        """List the pairs of entries of which one has blocked the other."""
        told: BlockedPairs = await self._run(self._do.blocks(tournament))
        return told

    async def shared_addresses(self, tournament: str) -> SharedAddresses:
        """List entries that came from the same address within 30 days, for the owner."""
        told: SharedAddresses = await self._run(self._do.shared_addresses(tournament))
        return told

    async def forbid(self, tournament: str, pairs: Sequence[Sequence[int]], seq: int) -> ActBody:
        """Set which pairs of entries must not meet in rounds drafted from now on."""
        told: ActBody = await self._run(self._do.forbid(tournament, pairs, seq))
        return told

    async def take_back(self, tournament: str, round: int, seq: int, stage: int = 1) -> ActBody:
        """Undo the last change of a draft or, if there is none, the draft itself."""
        told: ActBody = await self._run(self._do.take_back(tournament, round, seq, stage))
        return told

    async def penalize(self, tournament: str, entry: int, penalty: PenaltyAct) -> ActBody:
        """Set the points that an entry loses, as an official."""
        told: ActBody = await self._run(self._do.penalize(tournament, entry, penalty))
        return told

    async def replace(self, tournament: str, entry: int, replacement: ReplaceAct) -> ActBody:
        """Invite a new player to continue as an entry, with its points."""
        told: ActBody = await self._run(self._do.replace(tournament, entry, replacement))
        return told

    async def replay(self, tournament: str, round: int, board: int, replay: ReplayAct, stage: int = 1) -> ActBody:
        """Have a board played again at a new table with a new deal."""
        told: ActBody = await self._run(self._do.replay(tournament, round, board, replay, stage))
        return told

    async def pause(self, tournament: str, pause: PauseAct) -> ActBody:
        """Pause a tournament with all its tables and clocks, as an official."""
        told: ActBody = await self._run(self._do.pause(tournament, pause))
        return told

    async def resume(self, tournament: str, seq: int) -> ActBody:
        """Resume a tournament. Tables that were paused separately stay paused."""
        told: ActBody = await self._run(self._do.resume(tournament, seq))
        return told

    async def pause_table(self, tournament: str, round: int, board: int, pause: PauseAct, stage: int = 1) -> ActBody:
        """Pause one table and its clocks, as an official who does not play there."""
        told: ActBody = await self._run(self._do.pause_table(tournament, round, board, pause, stage))
        return told

    async def resume_table(self, tournament: str, round: int, board: int, seq: int, stage: int = 1) -> ActBody:
        """Resume one table."""
        told: ActBody = await self._run(self._do.resume_table(tournament, round, board, seq, stage))
        return told

    async def add_time(self, tournament: str, round: int, board: int, time: TimeAct, stage: int = 1) -> ActBody:
        """Give time to a player of a table, as an official who does not play there."""
        told: ActBody = await self._run(self._do.add_time(tournament, round, board, time, stage))
        return told

    async def feature(self, tournament: str, round: int, board: int, feature: FeatureAct, stage: int = 1) -> ActBody:
        """Feature a table in the lists, or stop featuring it."""
        told: ActBody = await self._run(self._do.feature(tournament, round, board, feature, stage))
        return told

    async def set_autopilot(self, tournament: str, autopilot: AutopilotAct) -> ActBody:
        """Switch the autopilot on or off."""
        told: ActBody = await self._run(self._do.set_autopilot(tournament, autopilot))
        return told

    async def set_delay(self, tournament: str, delay: DelayAct) -> ActBody:
        """Set the delay with which spectators see tables that are opened from now on."""
        told: ActBody = await self._run(self._do.set_delay(tournament, delay))
        return told

    async def hands(self, tournament: str, round: int, board: int, stage: int = 1) -> HandsBody:
        """Return all hands of a table, for an official who has not entered.

        Each look is a public event of the tournament, and the official cannot enter afterwards.
        """
        told: HandsBody = await self._run(self._do.hands(tournament, round, board, stage))
        return told

    async def standings(self, tournament: str, stage: int | None = None, after_round: int | None = None) -> StandingsBody:
        """Return the standings of a stage, with the tie-breaks that decided.

        Args:
            tournament: the tournament's id.
            stage: by default the newest.
            after_round: the round after which to compute them; by default with all known results.
        """
        told: StandingsBody = await self._run(self._do.standings(tournament, stage, after_round))
        return told

    async def why(self, tournament: str, entry: int) -> WhyBody:
        """Explain an entry's place and pairing in sentences."""
        told: WhyBody = await self._run(self._do.why(tournament, entry))
        return told

    async def crosstable(self, tournament: str, stage: int | None = None) -> CrosstableBody:
        """Return the results of every entry in every round of a stage."""
        told: CrosstableBody = await self._run(self._do.crosstable(tournament, stage))
        return told

    async def bracket(self, tournament: str, stage: int | None = None) -> BracketBody:
        """Return all rounds of a stage, with opponents and places."""
        told: BracketBody = await self._run(self._do.bracket(tournament, stage))
        return told

    async def stream(self, tournament: str) -> StreamBody:
        """Return all events, as `ludarium tournament verify` reads them."""
        told: StreamBody = await self._run(self._do.stream(tournament))
        return told

    async def sheet(self, tournament: str, name: Sheet, stage: int | None = None) -> bytes:
        """Return the data of a stage as CSV."""
        told: bytes = await self._run(self._do.sheet(tournament, name, stage))
        return told

    async def picture(self, tournament: str, name: Picture, stage: int | None = None) -> bytes:
        """Return the standings or the bracket of a stage as SVG."""
        told: bytes = await self._run(self._do.picture(tournament, name, stage))
        return told

    async def report(self, tournament: str, stage: int | None = None) -> bytes:
        """Return a stage with two seats per table as a TRF16 file."""
        told: bytes = await self._run(self._do.report(tournament, stage))
        return told

    async def records(self, tournament: str, after: str | None = None, limit: int = 20) -> list[dict[str, Any]]:
        """Return the records of finished games, at most 100 a call.

        For the next part, send the last record's `table` as `after`.
        """
        told: list[dict[str, Any]] = await self._run(self._do.records(tournament, after, limit))
        return told

    async def create_tables(self, tables: Sequence[BulkTable]) -> list[OpenedTable]:
        """Open up to 100 tables for your own pairings.

        Each answer has the opened table, or the reason why there is none.
        """
        told: list[OpenedTable] = await self._run(self._do.create_tables(tables))
        return told

    async def follow(self, tournament: str, after: int = -1) -> Stream[RowPush]:
        """Yield the events after `after`, then each new one, without end."""
        reader = self._do.reader(tournament, after)
        try:
            while True:
                yield await self._run(reader.next())
        finally:
            await self._run(reader.close())
