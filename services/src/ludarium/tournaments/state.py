"""The state of a tournament after some of its events (fold.py applies them). What follows from it is computed in derived.py."""
from __future__ import annotations

import hmac
from datetime import datetime
from hashlib import blake2b
from uuid import UUID

from ludarium.platform import ids
from ludarium.tables.model.hash_chain import EPOCH, microseconds
from ludarium.tournaments.events import Sanctioned, Status, TournamentOpened
from ludarium.tournaments.invitation_events import Invitation, Pending, Role, RoleOffer
from ludarium.tournaments.plan import StageBody, plan_body
from ludarium.tournaments.state_parts import Entrant, RoundState
from ludarium.tournaments.times import Times
from ludarium_eventstore import chain

SALT = bytes(chain.SIZE)
"""Of the chain: everybody may see every row, so the salts hide nothing, and anybody can check the links."""
NONCE = 32
"""Bytes to which each nonce is filled up."""


class TournamentState:
    """One tournament after `version`.

    saw_hands: the officials who have seen hands.
    settled: the versions at which the plan, and whether one may enter, were last changed. stage_entries: by stage from the
    second on, who came into it, the best first. newer: the version of the first row that only a newer release can take in.
    """

    def __init__(self, stream: UUID, opened: TournamentOpened, key: bytes) -> None:
        self.stream, self.id, self.opened, self.key = stream, ids.encode(stream), opened, key
        self.version, self.hash, self.at = -1, chain.genesis(stream), EPOCH
        self.plan, self.text = plan_body(opened.plan), opened.text
        self.plan_seq = self.status_seq = 0
        self.status: Status = "draft"
        self.roles: dict[str, tuple[Role, int]] = {opened.owner: ("owner", 0)}
        self.former_officials: dict[str, int] = {}
        self.entrants: dict[int, Entrant] = {}
        self.by_player: dict[str, int] = {}
        self.invitations: Pending[Invitation] = Pending()
        self.role_offers: Pending[RoleOffer] = Pending()
        self.rounds: dict[tuple[int, int], RoundState] = {}
        self.stage_entries: dict[int, tuple[int, ...]] = {}
        self.stage = 1
        self.forbidden: tuple[tuple[int, int], ...] = ()
        self.forbidden_seq = 0
        self.saw_hands: set[str] = set()
        self.newer: int | None = None
        self.status_at = 0
        self.times = Times()
        self.sanction: Sanctioned | None = None

    # --- what is asked of it ------------------------------------------------------------------------------------------
    @property
    def owner(self) -> str:
        return next(player for player, (role, _) in self.roles.items() if role == "owner")

    @property
    def begun(self) -> bool:
        return bool(self.rounds)

    @property
    def is_over(self) -> bool:
        return self.status in ("cancelled", "over")

    @property
    def current(self) -> RoundState | None:
        """The round that was drafted last."""
        return next(reversed(self.rounds.values()), None)

    @property
    def next_round(self) -> tuple[int, int]:
        """Stage and number of the round that is to be drafted next, or is drafted and not published."""
        last = self.current
        if last is None:
            return 1, 1
        if last.published is None:
            return last.stage, last.number
        return (last.stage, last.number + 1) if last.stage == self.stage else (self.stage, 1)

    def stage_of(self, stage: int) -> StageBody:
        return self.plan.stages[stage - 1]

    def rounds_of(self, stage: int) -> list[RoundState]:
        return [round for (at, _), round in self.rounds.items() if at == stage]

    def role_of(self, player: str) -> Role | None:
        return self.roles[player][0] if player in self.roles else None

    def entrant_of(self, player: str) -> Entrant | None:
        number = self.by_player.get(player)
        return None if number is None else self.entrants[number]

    def was_entered(self, player: str) -> bool:
        """Now or earlier."""
        return any(player in (one.player, *one.former_players) for one in self.entrants.values())

    @property
    def listed(self) -> list[Entrant]:
        """The entries in the order in which they came."""
        return [entrant for entrant in self.entrants.values() if entrant.listed]

    # --- what is derived under its key ----------------------------------------------------------------------------------
    def derive_secret(self, what: bytes, *numbers: int) -> bytes:
        """32 bytes that nobody can guess."""
        return hmac.digest(self.key, what + b"".join(number.to_bytes(4, "big") for number in numbers), "sha256")

    def pairing_seed(self, stage: int, round: int) -> bytes:
        """The same however often a round is drafted, so that nobody can draft until they like it."""
        return self.derive_secret(b"pairing", stage, round)

    def deal_seed(self, stage: int, round: int, board: int, replay: int = 0, game: int = 1) -> bytes:
        """What a board draws from, whoever plays it: the same for all where they share a deal, another when it is replayed,
        and for each game of a match."""
        if game > 1:
            return self.derive_secret(b"deal of game", stage, round, board, replay, game)
        if replay:
            return self.derive_secret(b"deal again", stage, round, board, replay)
        if self.has_shared_deals(stage):
            return self.derive_secret(b"shared deal", stage, round)
        return self.derive_secret(b"deal", stage, round, board)

    def has_shared_deals(self, stage: int) -> bool:
        """Whether all boards of a round play the same deal."""
        return self.stage_of(stage).deals == "shared"

    def table_id(self, stage: int, round: int, board: int, at: datetime, replay: int = 0, game: int = 1) -> UUID:
        again = replay.to_bytes(4, "big") if replay or game > 1 else b""
        nth = game.to_bytes(4, "big") if game > 1 else b""
        name = b"table" + bytes.fromhex(f"{stage:04x}{round:04x}{board:08x}") + again + nth
        return ids.derived_id(microseconds(at) // 1000, self.key, name)

    @property
    def mixed_nonce(self) -> bytes:
        """Of all nonces that were given so far; empty if there are none."""
        given = [one.number.to_bytes(4, "big") + one.nonce.ljust(NONCE, b"\0") for one in self.entrants.values() if one.nonce]
        return blake2b(b"".join(given), digest_size=NONCE).digest() if given else b""
