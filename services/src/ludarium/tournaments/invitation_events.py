"""Invitations to a tournament.

As its stream is public, an event only commits to the invited player. The event contains the player encrypted under the
tournament's key. The answer of a player who accepts contains their id and the salt; from then on, everyone can verify
the commitment. Players who decline are never named.
"""
from __future__ import annotations

from hashlib import blake2b
from typing import Generic, Literal, TypeVar

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from msgspec import structs

from ludarium.tournaments.draft_events import NONCE, SALT, SecretSource
from ludarium.tournaments.time_events import TournamentEvent

Answer = Literal["accepted", "declined", "withdrawn"]
Role = Literal["owner", "host", "arbiter", "broadcaster"]


class PlayerInvited(TournamentEvent, frozen=True):
    """A host invites a player, who is entered on accepting.

    Attributes:
        entry: the entry that they take over; 0 for a new one.
        rating: of a new entry.
        text: the reason of a replacement.
        commitment: BLAKE2b-256 of a salt and the player's id.
        sealed: salt and id, encrypted with AES-GCM.
    """

    by: str
    entry: int
    rating: int
    text: bytes
    commitment: bytes
    sealed: bytes


class OfficialInvited(TournamentEvent, frozen=True):
    """The owner asks a player to be an official.

    `commitment`, `sealed`: as in `PlayerInvited`.
    """

    by: str
    role: Role
    commitment: bytes
    sealed: bytes


class InvitationAnswered(TournamentEvent, frozen=True):
    """The end of an invitation.

    If it is accepted, the next event enters the player or gives the role, in the inviter's name.

    Attributes:
        invitation: version of its event.
        by: the host who withdraws it, None for the player.
        player, salt: empty unless accepted.
    """

    invitation: int
    answer: Answer
    by: str | None
    player: str
    salt: bytes


class Invitation(msgspec.Struct, frozen=True):
    """A pending invitation. `seq`: version of its event.

    `player`: empty if the key is not available.
    """

    seq: int
    event: PlayerInvited
    player: str
    salt: bytes
    declined: bool = False


class RoleOffer(msgspec.Struct, frozen=True):
    """A pending invitation to be an official. Its fields are those of `Invitation`."""

    seq: int
    event: OfficialInvited
    player: str
    salt: bytes
    declined: bool = False


Offer = TypeVar("Offer", Invitation, RoleOffer)


class Pending(Generic[Offer]):
    """The pending invitations of a tournament, for players or for officials.

    Attributes:
        known: by the version of their events.
        accepted: the one that the newest event has accepted.
    """

    def __init__(self) -> None:
        self.known: dict[int, Offer] = {}
        self.accepted: Offer | None = None

    def of(self, player: str) -> Offer | None:
        """Return the player's invitation, also if they have declined it; None without one."""
        return next((one for one in self.known.values() if one.player == player), None)

    def answer(self, event: InvitationAnswered) -> None:
        invitation = self.known[event.invitation]
        if event.answer == "declined":
            self.known[event.invitation] = structs.replace(invitation, declined=True)
            return
        del self.known[event.invitation]
        if event.answer == "accepted":
            self.accepted = structs.replace(invitation, player=event.player, salt=event.salt)

    def forget(self, player: str) -> None:
        """Drop the invitations of a player who is in the tournament now, or an official."""
        for seq in [seq for seq, one in self.known.items() if one.player == player]:
            del self.known[seq]


def seal_invitation(
    keys: SecretSource, version: int, by: str, player: str, entry: int, rating: int, text: bytes
) -> PlayerInvited:
    """Return the event that invites a player. `version`: of the event."""
    return PlayerInvited(by, entry, rating, text, *sealed_player(keys, version, player))


def seal_role(keys: SecretSource, version: int, by: str, player: str, role: Role) -> OfficialInvited:
    """Return the event that asks a player to be an official. `version`: of the event."""
    return OfficialInvited(by, role, *sealed_player(keys, version, player))


def sealed_player(keys: SecretSource, version: int, player: str) -> tuple[bytes, bytes]:
    """Return the commitment to a player, and the player encrypted."""
    salt = keys.derive_secret(b"salt of an invitation", version)
    commitment = commit_to_player(salt, player)
    return commitment, cipher_of(keys, version).encrypt(NONCE, salt + player.encode(), commitment)


def open_invitation(keys: SecretSource, version: int, event: PlayerInvited | OfficialInvited) -> tuple[str, bytes]:
    """Return the player of an invitation and its salt.

    Both are empty without the tournament's key.
    """
    try:
        plain = cipher_of(keys, version).decrypt(NONCE, event.sealed, event.commitment)
    except InvalidTag:
        return "", b""
    return plain[SALT:].decode(), plain[:SALT]


def cipher_of(keys: SecretSource, version: int) -> AESGCM:
    return AESGCM(keys.derive_secret(b"key of an invitation", version))


def commit_to_player(salt: bytes, player: str) -> bytes:
    return blake2b(salt + player.encode(), digest_size=32).digest()
