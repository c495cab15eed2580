"""Operations on tournaments: the only place that knows their routes."""

from collections.abc import Sequence
from typing import Any, Literal
from urllib.parse import quote, urlencode

from ludarium_client.bodies import (
    ActBody,
    AutopilotAct,
    BlockedPairs,
    BracketBody,
    BulkTable,
    CrosstableBody,
    DelayAct,
    DeskAct,
    Dispute,
    DraftEdit,
    EntryImport,
    EntryList,
    FeatureAct,
    ForbiddenPairs,
    HandsBody,
    ListedName,
    MendedName,
    NewEntry,
    NewTables,
    NewTournament,
    NonceGift,
    OpenedTable,
    OpenedTables,
    OwnInvitations,
    OwnListedName,
    OwnPlace,
    PauseAct,
    PenaltyAct,
    Recutting,
    ReplaceAct,
    ReplayAct,
    RoleAct,
    RoundBody,
    RulingAct,
    SeedAct,
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
from ludarium_client.calls import Caller
from ludarium_client.decoding import decode
from ludarium_client.effects import Steps
from ludarium_client.tournamentreader import TournamentReader

Role = Literal["owner", "host", "arbiter", "broadcaster"]
Status = Literal["draft", "open", "closed", "cancelled", "over"]

Sheet = Literal["entries", "pairings", "standings", "crosstable"]
Picture = Literal["standings", "bracket"]


class TournamentOperations:
    """Builds the operations on tournaments; it does no I/O itself."""

    def __init__(self, caller: Caller) -> None:
        self.caller = caller

    def _read(self, kind: Any, path: str, **query: Any) -> Steps[Any]:
        told = urlencode({name: value for name, value in query.items() if value is not None})
        return self.caller.call(kind, "GET", f"{path}?{told}" if told else path)

    def create(self, tournament: NewTournament) -> Steps[TournamentBody]:
        return self.caller.once(TournamentBody, "POST", "/tournaments", tournament)

    def page(self, status: Status | None = None, ruleset: str | None = None, after: str | None = None) -> Steps[TournamentPage]:
        return self._read(TournamentPage, "/tournaments", status=status, ruleset=ruleset, after=after)

    def get(self, tournament: str) -> Steps[TournamentBody]:
        return self._read(TournamentBody, of(tournament))

    def change(self, tournament: str, change: TournamentChange) -> Steps[ActBody]:
        return self.caller.once(ActBody, "PATCH", of(tournament), change)

    def open(self, tournament: str, seq: int) -> Steps[ActBody]:
        return self.caller.once(ActBody, "POST", of(tournament, "/open"), DeskAct(expected_seq=seq))

    def close(self, tournament: str, seq: int) -> Steps[ActBody]:
        return self.caller.once(ActBody, "POST", of(tournament, "/close"), DeskAct(expected_seq=seq))

    def cancel(self, tournament: str, seq: int) -> Steps[ActBody]:
        return self.caller.once(ActBody, "POST", of(tournament, "/cancel"), DeskAct(expected_seq=seq))

    def give_role(self, tournament: str, player: str, role: Role | None, seq: int = 0) -> Steps[ActBody]:
        path = of(tournament, f"/officials/{quote(player, safe='')}")
        return self.caller.once(ActBody, "PUT", path, RoleAct(expected_seq=seq, role=role))

    def accept_role(self, tournament: str) -> Steps[ActBody]:
        return self.caller.once(ActBody, "POST", of(tournament, "/role"))

    def decline_role(self, tournament: str) -> Steps[ActBody]:
        return self.caller.once(ActBody, "DELETE", of(tournament, "/role"))

    def entries(self, tournament: str) -> Steps[EntryList]:
        return self._read(EntryList, of(tournament, "/entries"))

    def enter(self, tournament: str, code: str = "") -> Steps[ActBody]:
        return self.caller.once(ActBody, "POST", of(tournament, "/entries"), NewEntry(code=code))

    def leave(self, tournament: str) -> Steps[ActBody]:
        return self.caller.once(ActBody, "DELETE", of(tournament, "/entries"))

    def check_in(self, tournament: str) -> Steps[ActBody]:
        return self.caller.once(ActBody, "POST", of(tournament, "/check-in"))

    def mine(self, tournament: str) -> Steps[OwnPlace]:
        return self._read(OwnPlace, of(tournament, "/me"))

    def import_entries(self, tournament: str, csv: str) -> Steps[ActBody]:
        return self.caller.once(ActBody, "POST", of(tournament, "/entries/import"), EntryImport(csv=csv))

    def invitations(self, tournament: str) -> Steps[SentInvitations]:
        return self._read(SentInvitations, of(tournament, "/invitations"))

    def uninvite(self, tournament: str, player: str) -> Steps[ActBody]:
        return self.caller.once(ActBody, "DELETE", of(tournament, f"/invitations/{quote(player, safe='')}"))

    def own_invitations(self) -> Steps[OwnInvitations]:
        return self._read(OwnInvitations, "/me/tournament-invitations")

    def change_listed_name(self, tournament: str, name: str | None) -> Steps[None]:
        return self.caller.once(None, "PUT", of(tournament, "/listed-name"), OwnListedName(name=name))

    def seed(self, tournament: str, entry: int, rating: int, seq: int) -> Steps[ActBody]:
        act = SeedAct(expected_seq=seq, rating=rating)
        return self.caller.once(ActBody, "PUT", of(tournament, f"/entries/{entry}/seed"), act)

    def mend_name(self, tournament: str, entry: int, name: str) -> Steps[ListedName]:
        return self.caller.once(ListedName, "PUT", of(tournament, f"/entries/{entry}/name"), MendedName(name=name))

    def remove(self, tournament: str, entry: int, seq: int) -> Steps[ActBody]:
        return self.caller.once(ActBody, "POST", of(tournament, f"/entries/{entry}/remove"), DeskAct(expected_seq=seq))

    def draft(self, tournament: str, seq: int, stage: int = 1) -> Steps[ActBody]:
        return self.caller.once(ActBody, "POST", of(tournament, f"/stages/{stage}/rounds"), DeskAct(expected_seq=seq))

    def round(self, tournament: str, round: int, stage: int = 1) -> Steps[RoundBody]:
        return self._read(RoundBody, round_path(tournament, stage, round))

    def edit(self, tournament: str, round: int, edit: DraftEdit, stage: int = 1) -> Steps[ActBody]:
        return self.caller.once(ActBody, "PATCH", round_path(tournament, stage, round), edit)

    def publish(self, tournament: str, round: int, seq: int, stage: int = 1) -> Steps[ActBody]:
        return self.caller.once(ActBody, "POST", round_path(tournament, stage, round) + "/publish", DeskAct(expected_seq=seq))

    def recut(self, tournament: str, round: int, recut: Recutting, stage: int = 1) -> Steps[ActBody]:
        return self.caller.once(ActBody, "POST", round_path(tournament, stage, round) + "/recut", recut)

    def close_round(self, tournament: str, round: int, seq: int, stage: int = 1) -> Steps[ActBody]:
        return self.caller.once(ActBody, "POST", round_path(tournament, stage, round) + "/close", DeskAct(expected_seq=seq))

    def rule(self, tournament: str, round: int, board: int, ruling: RulingAct, stage: int = 1) -> Steps[ActBody]:
        return self.caller.once(ActBody, "POST", round_path(tournament, stage, round) + f"/tables/{board}/rulings", ruling)

    def dispute(self, tournament: str, round: int, board: int, reason: str, stage: int = 1) -> Steps[ActBody]:
        path = round_path(tournament, stage, round) + f"/tables/{board}/disputes"
        return self.caller.once(ActBody, "POST", path, Dispute(reason=reason))

    def give_nonce(self, tournament: str, nonce: bytes) -> Steps[ActBody]:
        return self.caller.once(ActBody, "PUT", of(tournament, "/nonce"), NonceGift(nonce=nonce.hex()))

    def blocks(self, tournament: str) -> Steps[BlockedPairs]:
        return self._read(BlockedPairs, of(tournament, "/blocks"))

    def shared_addresses(self, tournament: str) -> Steps[SharedAddresses]:
        return self._read(SharedAddresses, of(tournament, "/shared-addresses"))

    def forbid(self, tournament: str, pairs: Sequence[Sequence[int]], seq: int) -> Steps[ActBody]:
        body = ForbiddenPairs(expected_seq=seq, pairs=[[*pair] for pair in pairs])
        return self.caller.once(ActBody, "PUT", of(tournament, "/forbidden"), body)

    def take_back(self, tournament: str, round: int, seq: int, stage: int = 1) -> Steps[ActBody]:
        return self.caller.once(ActBody, "POST", round_path(tournament, stage, round) + "/take-back", DeskAct(expected_seq=seq))

    def penalize(self, tournament: str, entry: int, penalty: PenaltyAct) -> Steps[ActBody]:
        return self.caller.once(ActBody, "PUT", of(tournament, f"/entries/{entry}/penalty"), penalty)

    def replace(self, tournament: str, entry: int, replacement: ReplaceAct) -> Steps[ActBody]:
        return self.caller.once(ActBody, "POST", of(tournament, f"/entries/{entry}/replace"), replacement)

    def replay(self, tournament: str, round: int, board: int, replay: ReplayAct, stage: int = 1) -> Steps[ActBody]:
        return self.caller.once(ActBody, "POST", round_path(tournament, stage, round) + f"/tables/{board}/replay", replay)

    def pause(self, tournament: str, pause: PauseAct) -> Steps[ActBody]:
        return self.caller.once(ActBody, "POST", of(tournament, "/pause"), pause)

    def resume(self, tournament: str, seq: int) -> Steps[ActBody]:
        return self.caller.once(ActBody, "POST", of(tournament, "/resume"), DeskAct(expected_seq=seq))

    def pause_table(self, tournament: str, round: int, board: int, pause: PauseAct, stage: int = 1) -> Steps[ActBody]:
        return self.caller.once(ActBody, "POST", round_path(tournament, stage, round) + f"/tables/{board}/pause", pause)

    def resume_table(self, tournament: str, round: int, board: int, seq: int, stage: int = 1) -> Steps[ActBody]:
        path = round_path(tournament, stage, round) + f"/tables/{board}/resume"
        return self.caller.once(ActBody, "POST", path, DeskAct(expected_seq=seq))

    def add_time(self, tournament: str, round: int, board: int, time: TimeAct, stage: int = 1) -> Steps[ActBody]:
        return self.caller.once(ActBody, "POST", round_path(tournament, stage, round) + f"/tables/{board}/time", time)

    def feature(self, tournament: str, round: int, board: int, feature: FeatureAct, stage: int = 1) -> Steps[ActBody]:
        return self.caller.once(ActBody, "PUT", round_path(tournament, stage, round) + f"/tables/{board}/featured", feature)

    def set_autopilot(self, tournament: str, autopilot: AutopilotAct) -> Steps[ActBody]:
        return self.caller.once(ActBody, "PUT", of(tournament, "/autopilot"), autopilot)

    def set_delay(self, tournament: str, delay: DelayAct) -> Steps[ActBody]:
        return self.caller.once(ActBody, "PUT", of(tournament, "/delay"), delay)

    def hands(self, tournament: str, round: int, board: int, stage: int = 1) -> Steps[HandsBody]:
        return self.caller.once(HandsBody, "POST", round_path(tournament, stage, round) + f"/tables/{board}/hands")

    def standings(self, tournament: str, stage: int | None = None, after_round: int | None = None) -> Steps[StandingsBody]:
        return self._read(StandingsBody, of(tournament, "/standings"), stage=stage, after_round=after_round)

    def why(self, tournament: str, entry: int) -> Steps[WhyBody]:
        return self._read(WhyBody, of(tournament, f"/standings/{entry}/why"))

    def crosstable(self, tournament: str, stage: int | None = None) -> Steps[CrosstableBody]:
        return self._read(CrosstableBody, of(tournament, "/crosstable"), stage=stage)

    def bracket(self, tournament: str, stage: int | None = None) -> Steps[BracketBody]:
        return self._read(BracketBody, of(tournament, "/bracket"), stage=stage)

    def stream(self, tournament: str) -> Steps[StreamBody]:
        return self._read(StreamBody, of(tournament, "/stream"))

    def sheet(self, tournament: str, name: Sheet, stage: int | None = None) -> Steps[bytes]:
        return self._read(bytes, of(tournament, f"/sheets/{name}"), stage=stage)

    def picture(self, tournament: str, name: Picture, stage: int | None = None) -> Steps[bytes]:
        return self._read(bytes, of(tournament, f"/pictures/{name}"), stage=stage)

    def report(self, tournament: str, stage: int | None = None) -> Steps[bytes]:
        return self._read(bytes, of(tournament, "/report"), stage=stage)

    def records(self, tournament: str, after: str | None = None, limit: int = 20) -> Steps[list[dict[str, Any]]]:
        lines = yield from self._read(bytes, of(tournament, "/records"), after=after, limit=limit)
        return [decode(line, dict) for line in lines.splitlines()]

    def create_tables(self, tables: Sequence[BulkTable]) -> Steps[list[OpenedTable]]:
        opened: OpenedTables = yield from self.caller.once(OpenedTables, "POST", "/tables/bulk", NewTables(tables=[*tables]))
        return opened.tables

    def reader(self, tournament: str, after: int) -> TournamentReader:
        return TournamentReader(self.caller, tournament, after)


def of(tournament: str, below: str = "") -> str:
    return f"/tournaments/{quote(tournament, safe='')}{below}"


def round_path(tournament: str, stage: int, round: int) -> str:
    return of(tournament, f"/stages/{stage}/rounds/{round}")
