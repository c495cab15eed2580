"""The format of a place of backups. A place of another format is refused before anything is read back or written."""
from __future__ import annotations

import msgspec

from ludarium.ops.backups.errors import BackupError, Damaged, OldPlace
from ludarium.ops.backups.marks import MARK
from ludarium.ops.backups.places import ABOUT, BASES, FORMAT
from ludarium.ops.backups.vault import Keys, Vault
from ludarium_engine.kernel.decoding import json_decoder


class FormatHeader(msgspec.Struct):
    """The field that marks and base descriptions share.

    Releases before 0.1.0 wrote no format.
    """

    format: int = 0


_decode_header = json_decoder(FormatHeader)


def open_place(place: str, keys: Keys, *, make: bool) -> Vault:
    """Open a place. make: a folder that is not there yet.

    Raises:
        OldPlace: a release before 0.1.0 wrote it.
        BackupError: a later release wrote it, or it cannot be used.
    """
    vault = Vault(place, keys, make=make)
    for name in [MARK, *(name for name in vault.names(BASES) if name.endswith(f"/{ABOUT}"))]:
        check_format(vault, name)
    return vault


def check_format(vault: Vault, name: str) -> None:
    """Raise BackupError for another format.

    Other checks find a missing or damaged document.
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
