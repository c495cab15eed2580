"""Bundles of archived games, stored in a folder or a bucket.

A bundle file is either complete or absent, and never changes.
"""
from __future__ import annotations

from pathlib import Path
from typing import TypeAlias
from uuid import UUID

import obstore
from obstore.exceptions import BaseError, NotFoundError
from obstore.store import LocalStore, S3Store, from_url

from ludarium_eventstore import StoreUnavailable

FOLDER_MODE = 0o700
STORAGE_ERRORS = (BaseError, OSError)
"""The storage cannot be reached, or refuses access."""
Storage: TypeAlias = LocalStore | S3Store


class ArchiveError(Exception):
    """The archive cannot be used; the message gives the reason and the remedy."""


class BundleFiles:
    """The files of archived games' bundles.

    They contain hands and secrets, so they are as confidential as the database.
    """

    def __init__(self, place: str, *, make: bool = False) -> None:
        """Open the storage.

        Args:
            make: create the folder if it is missing.

        Raises:
            ArchiveError: the storage cannot be opened.
        """
        self.place, self._store = place, open_storage(place, make=make)

    async def get(self, stream: UUID) -> bytes | None:
        try:
            return bytes(await (await obstore.get_async(self._store, bundle_path(stream))).bytes_async())
        except (NotFoundError, FileNotFoundError):
            return None
        except STORAGE_ERRORS as error:
            raise StoreUnavailable(f"the archive {self.place} cannot be read: {first_line(error)}") from error

    async def put(self, stream: UUID, bundle: bytes) -> None:
        """Write the bundle of a stream. Raises ArchiveError."""
        try:
            await obstore.put_async(self._store, bundle_path(stream), bundle)
        except STORAGE_ERRORS as error:
            raise ArchiveError(f"The archive {self.place} cannot be written: {first_line(error)}.") from error


def open_bundle_files(place: str | None) -> BundleFiles | None:
    """Open the archive for reading, None if none is configured. Raises ArchiveError."""
    return None if place is None else BundleFiles(place)


def bundle_path(stream: UUID) -> str:
    """Return the path of a stream's bundle.

    The last two digits of an id are random, so bundles are spread over 256 folders.
    """
    return f"{stream.hex[-2:]}/{stream.hex}.bundle"


def open_storage(place: str, *, make: bool) -> Storage:
    """Open a folder or a bucket.

    The address and keys of S3 come from the usual AWS_* variables.
    """
    if place.startswith("s3://"):
        found = from_url(place)
        assert isinstance(found, S3Store)
        return found
    if "://" in place:
        raise ArchiveError(f"LUDARIUM_ARCHIVE={place} is no place for bundles: name a folder, or a bucket as s3://name/path.")
    folder = Path(place).resolve()
    if make:
        folder.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
    elif not folder.is_dir():
        raise ArchiveError(f"LUDARIUM_ARCHIVE={place} is no folder: name the one that `ludarium archive` wrote to.")
    return LocalStore(folder)


def first_line(error: Exception) -> str:
    return str(error).strip().splitlines()[0]
