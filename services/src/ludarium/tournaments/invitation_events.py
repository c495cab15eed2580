"""Invitations to a tournament. Everybody can read its stream, so a row only commits to the invited player.

The row holds the player encrypted under the tournament's key. The answer of a player who accepts has their id and the salt:
from then on everybody can check the commitment. Players who decline are never named.
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
    """A host invites a player, who is in the tournament once they accept.

    entry: the entry that they are to play from now on; 0: a new one, of this rating. text: why they replace its player.
    commitment: the BLAKE2b-256 of a salt and the player's id. sealed: both, encrypted with AES-GCM.
    """

    by: str
    entry: int
    rating: int
    text: bytes
    commitment: bytes
    sealed: bytes


class OfficialInvited(TournamentEvent, frozen=True):
    """The owner asks a player who is no official to be one. commitment, sealed: as of `PlayerInvited`."""

    by: str
    role: Role
    commitment: bytes
    sealed: bytes


class InvitationAnswered(TournamentEvent, frozen=True):
    """An invitation is over. If it is accepted, the next row enters the player, or gives the role, in the host's name.

    invitation: the version of its row. by: the host who withdraws it, None for the player. player, salt: empty unless accepted.
    """

    invitation: int
    answer: Answer
    by: str | None
    player: str
    salt: bytes


class Invitation(msgspec.Struct, frozen=True):
    """As the state keeps it. seq: the version of its row. player: empty where only the key could tell."""

    seq: int
    event: PlayerInvited
    player: str
    salt: bytes
    declined: bool = False


class RoleOffer(msgspec.Struct, frozen=True):
    """An invitation to be an official, as the state keeps it. Its fields are those of `Invitation`."""

    seq: int
    event: OfficialInvited
    player: str
    salt: bytes
    declined: bool = False


Offer = TypeVar("Offer", Invitation, RoleOffer)


class Pending(Generic[Offer]):
    """The invitations of a tournament that were not accepted: to play in it, or to be an official.

    known: by the version of their rows. accepted: the one that the newest row of the tournament has accepted.
    """

    def __init__(self) -> None:
        self.known: dict[int, Offer] = {}
        self.accepted: Offer | None = None

    def of(self, player: str) -> Offer | None:
        """Return the invitation that a player can accept, also if they have declined it."""
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
        """Drop those of a player who is in the tournament now, or an official."""
        for seq in [seq for seq, one in self.known.items() if one.player == player]:
            del self.known[seq]


def seal_invitation(
    keys: SecretSource, version: int, by: str, player: str, entry: int, rating: int, text: bytes
) -> PlayerInvited:
    """Return the row that invites a player. version: of the row."""
    return PlayerInvited(by, entry, rating, text, *sealed_player(keys, version, player))


def seal_role(keys: SecretSource, version: int, by: str, player: str, role: Role) -> OfficialInvited:
    """Return the row that asks a player to be an official. version: of the row."""
    return OfficialInvited(by, role, *sealed_player(keys, version, player))


def sealed_player(keys: SecretSource, version: int, player: str) -> tuple[bytes, bytes]:
    """Return the commitment to a player, and the player encrypted."""
    salt = keys.derive_secret(b"salt of an invitation", version)
    commitment = commit_to_player(salt, player)
    return commitment, cipher_of(keys, version).encrypt(NONCE, salt + player.encode(), commitment)


def open_invitation(keys: SecretSource, version: int, event: PlayerInvited | OfficialInvited) -> tuple[str, bytes]:
    """Return the player of an invitation and its salt; both are empty without the tournament's key."""
    try:
        plain = cipher_of(keys, version).decrypt(NONCE, event.sealed, event.commitment)
    except InvalidTag:
        return "", b""
    return plain[SALT:].decode(), plain[:SALT]


def cipher_of(keys: SecretSource, version: int) -> AESGCM:
    return AESGCM(keys.derive_secret(b"key of an invitation", version))


def commit_to_player(salt: bytes, player: str) -> bytes:
    return blake2b(salt + player.encode(), digest_size=32).digest()
