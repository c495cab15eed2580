"""The state of a tournament after a number of its events.

`fold.py` applies events to the state, and `derived.py` computes from it. See docs/decisions/041.
"""
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
"""Salt of the hash chain. It hides nothing, since all events are public, so everyone can verify the links."""
NONCE = 32
"""Bytes that each nonce is padded to."""


class TournamentState:
    """The state of a tournament at `version`.

    Attributes:
        stage_entries: for each stage from the second on, the entries that advanced to the stage, best first.
        saw_hands: the officials who have seen hands.
        newer: version of the first event that only a newer release can apply.
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

    # --- queries ------------------------------------------------------------------------------------------------------
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
        """The round that was drafted last, None before the first."""
        return next(reversed(self.rounds.values()), None)

    @property
    def next_round(self) -> tuple[int, int]:
        """The stage and number of the current draft, or of the next round to draft."""
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
        """Return whether the player is or ever was in the tournament."""
        return any(player in (one.player, *one.former_players) for one in self.entrants.values())

    @property
    def listed(self) -> list[Entrant]:
        """The entries in order of entry, without those that withdrew before the start."""
        return [entrant for entrant in self.entrants.values() if entrant.listed]

    # --- derived secrets ----------------------------------------------------------------------------------------------
    def derive_secret(self, what: bytes, *numbers: int) -> bytes:
        """Derive 32 secret bytes from the tournament's key."""
        return hmac.digest(self.key, what + b"".join(number.to_bytes(4, "big") for number in numbers), "sha256")

    def pairing_seed(self, stage: int, round: int) -> bytes:
        """Return the seed of a round's pairing.

        Repeated drafts of a round have the same seed, so hosts cannot draft until they like the pairing.
        """
        return self.derive_secret(b"pairing", stage, round)

    def deal_seed(self, stage: int, round: int, board: int, replay: int = 0, game: int = 1) -> bytes:
        """Return the seed of a board's deal, which does not depend on the players.

        Boards that share a deal have the same seed. Each replay and each further game of a match has a different seed.
        """
        if game > 1:
            return self.derive_secret(b"deal of game", stage, round, board, replay, game)
        if replay:
            return self.derive_secret(b"deal again", stage, round, board, replay)
        if self.has_shared_deals(stage):
            return self.derive_secret(b"shared deal", stage, round)
        return self.derive_secret(b"deal", stage, round, board)

    def has_shared_deals(self, stage: int) -> bool:
        """Return whether all boards of a round play the same deal."""
        return self.stage_of(stage).deals == "shared"

    def table_id(self, stage: int, round: int, board: int, at: datetime, replay: int = 0, game: int = 1) -> UUID:
        again = replay.to_bytes(4, "big") if replay or game > 1 else b""
        nth = game.to_bytes(4, "big") if game > 1 else b""
        name = b"table" + bytes.fromhex(f"{stage:04x}{round:04x}{board:08x}") + again + nth
        return ids.derived_id(microseconds(at) // 1000, self.key, name)

    @property
    def mixed_nonce(self) -> bytes:
        """The hash of all nonces given so far, empty if there are none."""
        given = [one.number.to_bytes(4, "big") + one.nonce.ljust(NONCE, b"\0") for one in self.entrants.values() if one.nonce]
        return blake2b(b"".join(given), digest_size=NONCE).digest() if given else b""
