"""Sealed files in a folder or a bucket: age (X25519, ChaCha20-Poly1305), so who makes backups need not be able to read them."""
from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, NamedTuple, TypeAlias, cast

import obstore
import pyrage
from obstore.exceptions import BaseError, NotFoundError
from obstore.store import LocalStore, S3Store, from_url

from services.backups.errors import BackupError
from services.config import Config

SEALED = ".age"
CHUNK = 1 << 20
AWAY = (BaseError, OSError)
"""A place that cannot be reached, or does not let us in."""
OTHER_KEY = "No matching keys"
"""What age says when a file is whole and sealed for others."""
Storage: TypeAlias = LocalStore | S3Store
Stream = io.BufferedIOBase
"""What age says it wants; it reads and writes."""


class Keys(NamedTuple):
    """recipient: for whom backups are sealed. identity: who opens them, None where they are only made."""

    recipient: pyrage.x25519.Recipient
    identity: pyrage.x25519.Identity | None


class Vault:
    """Names are paths within the place, without the ending of what is sealed."""

    def __init__(self, place: str, keys: Keys, *, make: bool) -> None:
        """make: a folder that is not there yet. Raises BackupError."""
        self.place, self.keys = place, keys
        with reached(place):
            self._store = storage(place, make=make)

    # --- open, for everybody ------------------------------------------------------------------------------------------
    def write_open(self, name: str, data: bytes) -> None:
        with reached(self.place):
            obstore.put(self._store, name, data)

    def read_open(self, name: str) -> bytes:
        with reached(self.place):
            return bytes(obstore.get(self._store, name).bytes())

    def names(self, prefix: str) -> list[str]:
        """Of all files below it, in their order."""
        with reached(self.place):
            found = [meta["path"] for page in obstore.list(self._store, prefix) for meta in page]
        return sorted(name.removesuffix(SEALED) for name in found)

    def remove(self, names: Iterable[str]) -> None:
        """Sealed files."""
        self.remove_open([name + SEALED for name in names])

    def remove_open(self, names: Iterable[str]) -> None:
        """Those that are gone already are gone."""
        for name in names:
            with reached(self.place), suppress(NotFoundError, FileNotFoundError):
                obstore.delete(self._store, name)

    # --- sealed -------------------------------------------------------------------------------------------------------
    def write(self, name: str, data: bytes) -> None:
        with reached(self.place):
            obstore.put(self._store, name + SEALED, pyrage.encrypt(data, [self.keys.recipient]))

    def read(self, name: str) -> bytes:
        """Return what was sealed. Raises BackupError: the key is another one, or the file was changed."""
        sink = io.BytesIO()
        self.pour_out(name, sink)
        return sink.getvalue()

    def pour_in(self, name: str, source: IO[bytes], whole: Callable[[], None]) -> None:
        """All of the source. whole: raises if that came to a bad end; then the file is not there."""
        with reached(self.place), obstore.open_writer(self._store, name + SEALED) as sink:
            pyrage.encrypt_io(cast(Stream, source), cast(Stream, sink), [self.keys.recipient])
            whole()

    def pour_out(self, name: str, sink: IO[bytes]) -> None:
        if self.keys.identity is None:
            raise BackupError("LUDARIUM_BACKUP_KEY must hold the key that opens the backups: AGE-SECRET-KEY-1…")
        with reached(self.place), fitting(name, self.keys.identity):
            source = io.BufferedReader(Received(self._store, name + SEALED), CHUNK)
            pyrage.decrypt_io(source, cast(Stream, sink), [self.keys.identity])


class Received(io.RawIOBase):
    """A stored file, as it comes in."""

    def __init__(self, store: Storage, name: str) -> None:
        self._source = obstore.open_reader(store, name)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        data = self._source.read(len(buffer))
        buffer[: len(data)] = memoryview(data)
        return len(data)


def storage(place: str, *, make: bool) -> Storage:
    """S3's address and keys come from the usual AWS_* variables."""
    if place.startswith("s3://"):
        found = from_url(place)
        assert isinstance(found, S3Store)
        return found
    if "://" in place:
        raise BackupError(f"{place} is no place for backups: name a folder, or a bucket as s3://name/path.")
    if not make and not Path(place).is_dir():
        raise BackupError(f"There is no folder {place}: name the one that `ludarium backup` wrote to.")
    return LocalStore(Path(place).resolve(), mkdir=make)


@contextmanager
def reached(place: str) -> Iterator[None]:
    try:
        yield
    except AWAY as error:
        raise BackupError(f"{place} cannot be used: {str(error).strip().splitlines()[0]}") from error


@contextmanager
def fitting(name: str, identity: pyrage.x25519.Identity) -> Iterator[None]:
    """Tell a key that does not fit from a file that was changed."""
    try:
        yield
    except (pyrage.DecryptError, OSError) as error:
        if str(error).startswith(OTHER_KEY):
            raise BackupError(
                f"{name} is sealed for another key: LUDARIUM_BACKUP_KEY opens what is sealed for {identity.to_public()}."
            ) from error
        raise BackupError(f"{name} is damaged: it was changed or cut off ({error}).") from error


# --- keys -------------------------------------------------------------------------------------------------------------
def keys_of(config: Config) -> Keys:
    """From the environment. Raises BackupError."""
    identity = None if config.backup_key is None else identity_of(config.backup_key)
    if config.backup_recipient is not None:
        return Keys(recipient_of(config.backup_recipient), identity)
    if identity is None:
        raise BackupError(
            "Backups are sealed: LUDARIUM_BACKUP_RECIPIENT must name their public key, age1…, "
            "which `ludarium backup-key` makes."
        )
    return Keys(identity.to_public(), identity)


def identity_of(text: str) -> pyrage.x25519.Identity:
    try:
        return pyrage.x25519.Identity.from_str(text)
    except pyrage.IdentityError:
        raise BackupError("LUDARIUM_BACKUP_KEY is no secret key: it has the form AGE-SECRET-KEY-1…") from None


def recipient_of(text: str) -> pyrage.x25519.Recipient:
    try:
        return pyrage.x25519.Recipient.from_str(text)
    except pyrage.RecipientError:
        raise BackupError("LUDARIUM_BACKUP_RECIPIENT is no public key: it has the form age1…") from None
