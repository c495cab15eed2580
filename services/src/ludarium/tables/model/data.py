"""Load the data files of titles.

Running games load the data with the hash that they began with. Operators can replace a title's data for new games.
"""
from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from pathlib import Path

from ludarium_engine import registry
from ludarium_engine.kernel.published import document_hash
from ludarium_engine.testkit.trial import trial

log = logging.getLogger(__name__)
Document = Callable[[bytes], Awaitable[bytes | None]]


class DataError(Exception):
    """A file of LUDARIUM_DATA_DIR cannot replace a title's data."""


# --- data of games that have begun ------------------------------------------------------------------------------------
async def provide(document: Document, ruleset: str, data_hash: bytes) -> None:
    """Load the title's data with this hash, unless they are loaded already."""
    if not registry.provided(ruleset, data_hash):
        await load(document, ruleset, data_hash)


async def load(document: Document, ruleset: str, data_hash: bytes) -> None:
    """Load stored data of a title.

    If the current rules cannot read these data, the game continues with the current data, and an event records that.
    """
    data = await document(data_hash)
    if data is None:
        log.debug("%s: there are no data %s", ruleset, data_hash.hex())         # anybody may ask for any
    elif document_hash(data) != data_hash:
        log.warning("%s: data %s are altered", ruleset, data_hash.hex())
    else:
        try:
            registry.provide(ruleset, data)       # they were tested with games when they were installed
        except registry.Unfit as error:
            log.warning("%s: data %s do not fit the rules of today: %s", ruleset, data_hash.hex(), error)


# --- data of new games ------------------------------------------------------------------------------------------------
def install(folder: Path) -> None:
    """Replace the data of titles with the files `<ruleset>.json` in a folder.

    Raises:
        DataError: with the first fault that is found.
    """
    if not folder.is_dir():
        raise DataError(f"LUDARIUM_DATA_DIR: {folder} is no folder.")
    for file in sorted(folder.glob("*.json")):
        if file.stem not in registry.titles():
            raise DataError(f"{file}: there is no ruleset {file.stem}.")
        data = file.read_bytes()
        if flaws := [flaw for flaw in trial(file.stem, data) if not flaw.remark]:
            raise DataError(f"{file}: {registry.Unfit(flaws)}")
        registry.install(file.stem, data)
        log.info("New games of %s start with %s", file.stem, file)
