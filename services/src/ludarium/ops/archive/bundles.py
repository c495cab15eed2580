"""Where bundles are kept: a folder, or a bucket. A file is there whole or not at all, and is never changed."""
from __future__ import annotations

from pathlib import Path
from typing import TypeAlias
from uuid import UUID

import obstore
from obstore.exceptions import BaseError, NotFoundError
from obstore.store import LocalStore, S3Store, from_url

from ludarium_eventstore import StoreUnavailable

MODE = 0o700
AWAY = (BaseError, OSError)
"""A place that cannot be reached, or does not let us in."""
Storage: TypeAlias = LocalStore | S3Store


class ArchiveError(Exception):
    """The message says why, and what to do."""


class BundleFiles:
    """Of games with all their hands, and of secrets: as confidential as the database."""

    def __init__(self, place: str, *, make: bool = False) -> None:
        """make: a folder that is not there yet. Raises ArchiveError."""
        self.place, self._store = place, storage(place, make=make)

    async def get(self, stream: UUID) -> bytes | None:
        try:
            return bytes(await (await obstore.get_async(self._store, name_of(stream))).bytes_async())
        except (NotFoundError, FileNotFoundError):
            return None
        except AWAY as error:
            raise StoreUnavailable(f"the archive {self.place} cannot be read: {first_line(error)}") from error

    async def put(self, stream: UUID, bundle: bytes) -> None:
        """Raises ArchiveError."""
        try:
            await obstore.put_async(self._store, name_of(stream), bundle)
        except AWAY as error:
            raise ArchiveError(f"The archive {self.place} cannot be written: {first_line(error)}.") from error


def files_at(place: str | None) -> BundleFiles | None:
    """For who reads; None where nothing says where they are. Raises ArchiveError."""
    return None if place is None else BundleFiles(place)


def name_of(stream: UUID) -> str:
    """Its last two digits are random: 256 folders."""
    return f"{stream.hex[-2:]}/{stream.hex}.bundle"


def storage(place: str, *, make: bool) -> Storage:
    """S3's address and keys come from the usual AWS_* variables."""
    if place.startswith("s3://"):
        found = from_url(place)
        assert isinstance(found, S3Store)
        return found
    if "://" in place:
        raise ArchiveError(f"LUDARIUM_ARCHIVE={place} is no place for bundles: name a folder, or a bucket as s3://name/path.")
    folder = Path(place).resolve()
    if make:
        folder.mkdir(mode=MODE, parents=True, exist_ok=True)
    elif not folder.is_dir():
        raise ArchiveError(f"LUDARIUM_ARCHIVE={place} is no folder: name the one that `ludarium archive` wrote to.")
    return LocalStore(folder)


def first_line(error: Exception) -> str:
    return str(error).strip().splitlines()[0]
