"""The data files of titles: those that games began with, by hash, and those that an operator puts in place of ours."""
from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from pathlib import Path

import engine
from engine.kernel.published import hash_of
from engine.kernel.title import Flaw

log = logging.getLogger(__name__)
Document = Callable[[bytes], Awaitable[bytes | None]]


class DataError(Exception):
    """A file of LUDARIUM_DATA_DIR cannot replace a title's data."""


# --- of games that have begun -------------------------------------------------------------------------------------------
async def provide(document: Document, ruleset: str, data_hash: bytes) -> None:
    """Have the title with the data of this hash."""
    if not engine.provided(ruleset, data_hash):
        await load(document, ruleset, data_hash)


async def load(document: Document, ruleset: str, data_hash: bytes) -> None:
    """Data that these rules cannot read are left out: the game goes on with those of new games, and says so."""
    data = await document(data_hash)
    if data is None:
        log.debug("%s: there are no data %s", ruleset, data_hash.hex())         # anybody may ask for any
    elif hash_of(data) != data_hash or faults(ruleset, data):
        log.warning("%s: data %s are altered, or do not fit the rules of today", ruleset, data_hash.hex())
    else:
        engine.provide(ruleset, data)


# --- of new games -------------------------------------------------------------------------------------------------------
def install(folder: Path) -> None:
    """Each file `<ruleset>.json` takes the place of that title's data. Raises DataError, naming the first flaw."""
    if not folder.is_dir():
        raise DataError(f"LUDARIUM_DATA_DIR: {folder} is no folder.")
    for file in sorted(folder.glob("*.json")):
        if file.stem not in engine.titles():
            raise DataError(f"{file}: there is no ruleset {file.stem}.")
        data = file.read_bytes()
        if flaws := faults(file.stem, data):
            raise DataError(f"{file}: {flaws[0].pointer or 'the file'}: {flaws[0].detail}")
        engine.install(file.stem, data)
        log.info("New games of %s start with %s", file.stem, file)


def faults(ruleset: str, data: bytes) -> list[Flaw]:
    return [flaw for flaw in engine.titles()[ruleset].check_data(data) if not flaw.remark]
