"""Operations on finished games: search, records, signatures and imports."""

from collections.abc import Sequence
from typing import Any, Literal

import msgspec

from ludarium_client.bodies import (
    CardStatistics,
    CutList,
    EventPage,
    FinishedPage,
    FramePage,
    HourPage,
    HourProof,
    ImportBody,
    ImportPage,
    Leaderboard,
    PlayerRatings,
    Proof,
    Replay,
    SigningKeys,
    Statement,
    TableView,
)
from ludarium_client.calls import Caller
from ludarium_client.decoding import decode
from ludarium_client.effects import Steps
from ludarium_client.follower import Viewer, Watcher
from ludarium_client.kept import Judgement, Kept, judge
from ludarium_client.paths import path, path_of, query
from ludarium_client.problems import Problem


class Archive:
    """Builds the operations on finished games; it does no I/O itself."""

    def __init__(self, caller: Caller) -> None:
        self.caller = caller

    def records(self, **wanted: Any) -> Steps[FinishedPage]:
        return self.caller.call(FinishedPage, "GET", "/records" + query(**said(wanted)))

    def bulk_records(self, **wanted: Any) -> Steps[list[dict[str, Any]]]:
        lines = yield from self.caller.call(bytes, "GET", "/records/bulk" + query(**said(wanted)))
        return [decode(line, dict) for line in lines.splitlines()]

    def card_statistics(
        self, ruleset: str, seats: int | None, seat: int | None, who: Literal["people", "bots"]
    ) -> Steps[CardStatistics]:
        asked = query(seats=seats, seat=seat, who=who)
        return self.caller.call(CardStatistics, "GET", path_of("rulesets", ruleset, "/statistics/cards") + asked)

    def leaderboard(self, ruleset: str, size: Literal["two", "many"], limit: int) -> Steps[Leaderboard]:
        return self.caller.call(Leaderboard, "GET", path_of("rulesets", ruleset, "/ratings") + query(size=size, limit=limit))

    def ratings(self, player: str) -> Steps[PlayerRatings]:
        return self.caller.call(PlayerRatings, "GET", path_of("players", player, "/ratings"))

    def picture(
        self, table: str, kind: Literal["svg", "png"], at: int | None, viewer: Viewer | None, locale: str | None,
        study: str | None,
    ) -> Steps[bytes]:  # fmt: skip
        asked = query(at=at, locale=locale, study=study, **{"as": viewer})
        return self.caller.call(bytes, "GET", path(table, f"/picture.{kind}") + asked)

    # --- signatures ---------------------------------------------------------------------------------------------------
    def signing_keys(self) -> Steps[SigningKeys]:
        return self.caller.call(SigningKeys, "GET", "/.well-known/ludarium-keys", prefix="")

    def statement(self, table: str) -> Steps[Statement]:
        return self.caller.call(Statement, "GET", path(table, "/statement"))

    def cuts(self, table: str) -> Steps[CutList]:
        return self.caller.call(CutList, "GET", "/cuts" + query(table=table))

    def heads(self, since: str | None, limit: int) -> Steps[HourPage]:
        return self.caller.call(HourPage, "GET", "/heads" + query(**{"from": since}, limit=limit))

    def hour_proof(self, table: str) -> Steps[HourProof]:
        return self.caller.call(HourProof, "GET", path(table, "/proof/hour"))

    def check_kept(self, kept: Kept, keys: Sequence[str]) -> Steps[Judgement]:
        """Compare a saved hash with the server's. A missing table has no hashes."""
        try:
            hashes = (yield from self.caller.call(Proof, "GET", path(kept.table, "/proof"))).hashes
        except Problem as problem:
            if problem.code != "not-found":
                raise
            hashes = []
        cuts = yield from self.cuts(kept.table)
        return judge(kept, hashes, cuts.cuts, keys)

    # --- imported records ---------------------------------------------------------------------------------------------
    def bring_record(self, data: bytes) -> Steps[ImportBody]:
        return self.caller.call(ImportBody, "POST", "/imports", msgspec.Raw(data))

    def imports(self, after: str | None, limit: int) -> Steps[ImportPage]:
        return self.caller.call(ImportPage, "GET", "/imports" + query(after=after, limit=limit))

    def imported(self, import_: str) -> Steps[ImportBody]:
        return self.caller.call(ImportBody, "GET", path_of("imports", import_))

    def forget_import(self, import_: str) -> Steps[None]:
        return self.caller.call(None, "DELETE", path_of("imports", import_))

    def imported_record(self, import_: str) -> Steps[bytes]:
        record = yield from self.caller.call(msgspec.Raw, "GET", path_of("imports", import_, "/record"))
        return bytes(record)

    def imported_events(self, import_: str, after: int, limit: int, viewer: Viewer | None) -> Steps[EventPage]:
        asked = query(after=after, limit=limit, **{"as": viewer})
        return self.caller.call(EventPage, "GET", path_of("imports", import_, "/events") + asked)

    def imported_view(self, import_: str, at: int | None, viewer: Viewer | None) -> Steps[TableView]:
        return self.caller.call(TableView, "GET", path_of("imports", import_, "/view") + query(at=at, **{"as": viewer}))

    def imported_replay(self, import_: str, viewer: Watcher | None) -> Steps[Replay]:
        return self.caller.call(Replay, "GET", path_of("imports", import_, "/replay") + query(**{"as": viewer}))

    def imported_frames(self, import_: str, after: int, limit: int, viewer: Viewer | None) -> Steps[FramePage]:
        asked = query(after=after, limit=limit, **{"as": viewer})
        return self.caller.call(FramePage, "GET", path_of("imports", import_, "/frames") + asked)


def said(wanted: dict[str, Any]) -> dict[str, Any]:
    """Rename `since` and `until` to the API's `from` and `to`; `from` is a keyword."""
    return {"from" if name == "since" else "to" if name == "until" else name: value for name, value in wanted.items()}
