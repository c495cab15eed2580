"""The format of a place, which is checked before anything is read or written."""
from __future__ import annotations

import msgspec

from ludarium.ops.backups.errors import BackupError, Damaged, OldPlace
from ludarium.ops.backups.marks import MARK
from ludarium.ops.backups.places import ABOUT, BASES, FORMAT
from ludarium.ops.backups.vault import Keys, Vault
from ludarium_engine.kernel.decoding import json_decoder


class FormatHeader(msgspec.Struct):
    """The field that marks and descriptions of base backups have in common.

    Releases before 0.1.0 wrote no format.
    """

    format: int = 0


_decode_header = json_decoder(FormatHeader)


def open_place(place: str, keys: Keys, *, make: bool) -> Vault:
    """Open a place, and create a missing folder if `make` is true.

    Raises:
        OldPlace: a release before 0.1.0 wrote the place.
        BackupError: a later release wrote the place, or it cannot be used.
    """
    vault = Vault(place, keys, make=make)
    for name in [MARK, *(name for name in vault.names(BASES) if name.endswith(f"/{ABOUT}"))]:
        check_format(vault, name)
    return vault


def check_format(vault: Vault, name: str) -> None:
    """Raise BackupError if a document has another format.

    A missing or damaged document is left to other checks.
    """
    try:
        found = _decode_header(vault.read_open(name)).format
    except (Damaged, msgspec.MsgspecError):
        return
    if found < FORMAT:
        raise OldPlace(f"{vault.place} holds backups of a release before 0.1.0, and no later one can use them. Nothing was "
                       "changed. Keep them for the release that made them, and name another place for new backups.")
    if found > FORMAT:
        raise BackupError(f"{vault.place} has format {found}, which a later release of Ludarium wrote. Use that one.")
