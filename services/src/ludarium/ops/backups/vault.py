"""Sealed files in a folder or a bucket: age (X25519, ChaCha20-Poly1305), so who makes backups need not be able to read them."""
from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from hashlib import blake2b
from pathlib import Path
from typing import IO, NamedTuple, TypeAlias, cast

import msgspec
import obstore
import pyrage
from obstore.exceptions import BaseError, NotFoundError
from obstore.store import LocalStore, S3Store, from_url

from ludarium.ops.backups.errors import BackupError, Changed, Damaged
from ludarium.platform.config import Config
from ludarium.platform.signing_keys import Signer

SEALED = ".age"
CHUNK = 1 << 20
GONE = (NotFoundError, FileNotFoundError)
AWAY = (BaseError, OSError)
"""A place that cannot be reached, or does not let us in."""
OTHER_KEY = "No matching keys"
"""What age says when a file is whole and sealed for others."""
Storage: TypeAlias = LocalStore | S3Store
Stream = io.BufferedIOBase
"""What age says it wants; it reads and writes."""


class Keys(NamedTuple):
    """The keys of a place.

    recipient: for whom backups are sealed, None where they are only checked. identity: who opens them, None where they are
    only made. signer: signs the mark of a place, and knows the public keys that may have signed it.
    """

    recipient: pyrage.x25519.Recipient | None
    identity: pyrage.x25519.Identity | None
    signer: Signer = Signer()


class File(msgspec.Struct, frozen=True, array_like=True):
    """A file as it lies in a place: its path, its bytes, their BLAKE2b-256 in hexadecimal."""

    path: str
    size: int
    digest: str


class Vault:
    """Names are paths within the place, without the ending of what is sealed.

    written: files that no mark lists yet. retired: paths that go once no mark lists them. listed: paths that the mark lists.
    number: of the last mark that was written. expected: files as the mark lists them; what is read is compared with them.
    """

    def __init__(self, place: str, keys: Keys, *, make: bool) -> None:
        """make: a folder that is not there yet. Raises BackupError."""
        self.place, self.keys = place, keys
        self.written: list[File] = []
        self.retired: list[str] = []
        self.listed: set[str] | None = None
        self.number = 0
        self.expected: Mapping[str, File] = {}
        with reached(place):
            self._store = storage(place, make=make)

    # --- open, for everybody ------------------------------------------------------------------------------------------
    def write_open(self, name: str, data: bytes) -> None:
        with reached(self.place):
            obstore.put(self._store, name, data)

    def write_listed(self, path: str, data: bytes) -> None:
        """Write a file that the next mark lists."""
        self.write_open(path, data)
        self.written.append(File(path, len(data), digest_of(data)))

    def read_open(self, name: str) -> bytes:
        """Raises BackupError; Damaged if the file is missing, or not the expected one."""
        with reached(self.place):
            try:
                data = bytes(obstore.get(self._store, name).bytes())
            except GONE as error:
                raise Damaged(f"{name} is missing.") from error
        self._compare(File(name, len(data), digest_of(data)))
        return data

    def names(self, prefix: str) -> list[str]:
        """Of all files below it, in their order."""
        return sorted(path.removesuffix(SEALED) for path in self.sizes(prefix))

    def sizes(self, prefix: str | None = None) -> dict[str, int]:
        """The paths of all files below it, and how many bytes each has."""
        with reached(self.place):
            return {meta["path"]: meta["size"] for page in obstore.list(self._store, prefix) for meta in page}

    def file(self, path: str) -> File:
        """Read a file to list it. Raises BackupError; Damaged if it is missing."""
        seen = Seen()
        with self._received(path, seen) as source:
            drain(source)
        return seen.file(path)

    def remove(self, names: Iterable[str]) -> None:
        """Sealed files."""
        self.remove_open([name + SEALED for name in names])

    def remove_open(self, names: Iterable[str]) -> None:
        """Those that are gone already are gone."""
        for name in names:
            with reached(self.place), suppress(*GONE):
                obstore.delete(self._store, name)

    # --- sealed -------------------------------------------------------------------------------------------------------
    def write(self, name: str, data: bytes) -> None:
        self.write_listed(name + SEALED, pyrage.encrypt(data, [self._recipient]))

    def read(self, name: str) -> bytes:
        """Return what was sealed. Raises BackupError: the key is another one, or the file was changed (Damaged)."""
        sink = io.BytesIO()
        self.pour_out(name, sink)
        return sink.getvalue()

    def pour_in(self, name: str, source: IO[bytes], whole: Callable[[], None]) -> None:
        """All of the source. whole: raises if that came to a bad end; then the file is not there."""
        seen = Seen()
        with reached(self.place), obstore.open_writer(self._store, name + SEALED) as sink:
            pyrage.encrypt_io(cast(Stream, source), cast(Stream, Noting(sink, seen)), [self._recipient])
            whole()
        self.written.append(seen.file(name + SEALED))

    def pour_out(self, name: str, sink: IO[bytes]) -> None:
        if self.keys.identity is None:
            raise BackupError("LUDARIUM_BACKUP_KEY must hold the key that opens the backups: AGE-SECRET-KEY-1…")
        seen = Seen()
        with self._received(name + SEALED, seen) as source:
            try:
                with fitting(name, self.keys.identity):
                    pyrage.decrypt_io(source, cast(Stream, sink), [self.keys.identity])
            finally:                            # a changed file is damaged, whatever age makes of it
                drain(source)
                self._compare(seen.file(name + SEALED))

    @property
    def _recipient(self) -> pyrage.x25519.Recipient:
        assert self.keys.recipient is not None
        return self.keys.recipient

    @contextmanager
    def _received(self, path: str, seen: Seen) -> Iterator[io.BufferedReader]:
        with reached(self.place):
            try:
                yield io.BufferedReader(Received(self._store, path, seen), CHUNK)
            except GONE as error:
                raise Damaged(f"{path} is missing.") from error

    def _compare(self, found: File) -> None:
        if self.expected.get(found.path, found) != found:
            raise Changed(f"{found.path} is not the file that the mark lists: it was changed, cut off or exchanged.")


class Seen:
    """What has passed of a file."""

    def __init__(self) -> None:
        self._size, self._hash = 0, blake2b(digest_size=32)

    def add(self, data: bytes | memoryview) -> None:
        self._size += len(data)
        self._hash.update(data)

    def file(self, path: str) -> File:
        return File(path, self._size, self._hash.hexdigest())


class Noting(io.RawIOBase):
    """Passes on to a sink what is written, and notes it."""

    def __init__(self, sink: obstore.WritableFile, seen: Seen) -> None:
        self._sink, self._seen = sink, seen

    def writable(self) -> bool:
        return True

    def write(self, data: bytes) -> int:  # type: ignore[override]
        self._seen.add(data)
        return self._sink.write(data)


class Received(io.RawIOBase):
    """A stored file, as it comes in."""

    def __init__(self, store: Storage, name: str, seen: Seen) -> None:
        self._source, self._seen = obstore.open_reader(store, name), seen

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        data = self._source.read(len(buffer))
        buffer[: len(data)] = memoryview(data)
        self._seen.add(memoryview(data))
        return len(data)


def drain(source: io.BufferedReader) -> None:
    while source.read(CHUNK):
        pass


def digest_of(data: bytes) -> str:
    return blake2b(data, digest_size=32).hexdigest()


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
        raise Damaged(f"{name} is damaged: it was changed or cut off ({error}).") from error


# --- keys -------------------------------------------------------------------------------------------------------------
def keys_of(config: Config) -> Keys:
    """From the environment. Raises BackupError."""
    identity = None if config.backup_key is None else identity_of(config.backup_key)
    signer = Signer(config.signing_key, config.signing_keys_before)
    if config.backup_recipient is not None:
        return Keys(recipient_of(config.backup_recipient), identity, signer)
    if identity is None:
        raise BackupError(
            "Backups are sealed: LUDARIUM_BACKUP_RECIPIENT must name their public key, age1…, "
            "which `ludarium backup-key` makes."
        )
    return Keys(identity.to_public(), identity, signer)


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
