"""Events for invitations to a tournament.

A tournament's stream is public, so the event of an invitation contains only a commitment to the player, and the
player's id encrypted with the tournament's key. When a player accepts, a further event reveals the id and the salt; from
then on, everyone can verify the commitment. Players who decline are never named.
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
    """A host's invitation to a player, who is entered on accepting.

    Attributes:
        entry: the entry that the player takes over, 0 for a new entry.
        rating: the rating of a new entry.
        text: the reason for a replacement.
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
    """The owner's invitation to a player to become an official.

    `commitment` and `sealed` have the same form as in `PlayerInvited`.
    """

    by: str
    role: Role
    commitment: bytes
    sealed: bytes


class InvitationAnswered(TournamentEvent, frozen=True):
    """The end of an invitation.

    If the invitation is accepted, the next event enters the player or gives the role, in the inviter's name.

    Attributes:
        invitation: version of the invitation's event.
        by: the host who withdraws the invitation, None if the player has answered.
        player: the player's id, empty unless accepted.
        salt: the salt of the commitment, empty unless accepted.
    """

    invitation: int
    answer: Answer
    by: str | None
    player: str
    salt: bytes


class Invitation(msgspec.Struct, frozen=True):
    """A pending or declined invitation.

    Attributes:
        seq: version of the invitation's event.
        player: the player's id, empty if the tournament's key is not available.
    """

    seq: int
    event: PlayerInvited
    player: str
    salt: bytes
    declined: bool = False


class RoleOffer(msgspec.Struct, frozen=True):
    """An open or declined invitation to be an official, like `Invitation`."""

    seq: int
    event: OfficialInvited
    player: str
    salt: bytes
    declined: bool = False


Offer = TypeVar("Offer", Invitation, RoleOffer)


class Pending(Generic[Offer]):
    """The pending and declined invitations of a tournament.

    Attributes:
        known: invitations by the version of their events.
        accepted: the invitation accepted by the newest event.
    """

    def __init__(self) -> None:
        self.known: dict[int, Offer] = {}
        self.accepted: Offer | None = None

    def of(self, player: str) -> Offer | None:
        """Return the player's invitation, even if it was declined; None without one."""
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
        """Remove the invitations of a player who has become an entrant or an official."""
        for seq in [seq for seq, one in self.known.items() if one.player == player]:
            del self.known[seq]


def seal_invitation(
    keys: SecretSource, version: int, by: str, player: str, entry: int, rating: int, text: bytes
) -> PlayerInvited:
    """Return the event that invites a player; `version` is that event's version."""
    return PlayerInvited(by, entry, rating, text, *sealed_player(keys, version, player))


def seal_role(keys: SecretSource, version: int, by: str, player: str, role: Role) -> OfficialInvited:
    """Return the event that offers a role; `version` is that event's version."""
    return OfficialInvited(by, role, *sealed_player(keys, version, player))


def sealed_player(keys: SecretSource, version: int, player: str) -> tuple[bytes, bytes]:
    """Return the commitment to a player, and the encrypted id with its salt."""
    salt = keys.derive_secret(b"salt of an invitation", version)
    commitment = commit_to_player(salt, player)
    return commitment, cipher_of(keys, version).encrypt(NONCE, salt + player.encode(), commitment)


def open_invitation(keys: SecretSource, version: int, event: PlayerInvited | OfficialInvited) -> tuple[str, bytes]:
    """Return the player's id and the salt of an invitation.

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
