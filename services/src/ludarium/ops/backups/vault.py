"""Encrypted files in a folder or a bucket, in the format of age.

The ciphers are X25519 and ChaCha20-Poly1305. Making backups needs no secret key.
"""
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
NOT_FOUND_ERRORS = (NotFoundError, FileNotFoundError)
STORAGE_ERRORS = (BaseError, OSError)
"""The storage cannot be reached, or refuses access."""
OTHER_KEY = "No matching keys"
"""The error of age for an intact file that is sealed for another key."""
Storage: TypeAlias = LocalStore | S3Store
Stream = io.BufferedIOBase
"""The type that age declares for streams, which it reads and writes."""


class Keys(NamedTuple):
    """The keys of a place.

    Attributes:
        recipient: the key that encrypts backups; None if they are only checked.
        identity: the key that decrypts backups; None if they are only made.
        signer: signs marks, and has the public keys that may have signed them.
    """

    recipient: pyrage.x25519.Recipient | None
    identity: pyrage.x25519.Identity | None
    signer: Signer = Signer()


class File(msgspec.Struct, frozen=True, array_like=True):
    """A stored file with path, size in bytes and BLAKE2b-256 hash in hexadecimal."""

    path: str
    size: int
    digest: str


class Vault:
    """The files of a place.

    Names are paths without the suffix of encrypted files.

    Attributes:
        written: new files that no mark lists yet.
        retired: paths to remove once no mark lists them.
        listed: paths that the mark lists.
        number: the number of the last mark written.
        expected: files as listed by the mark, with which each file read is compared.
    """

    def __init__(self, place: str, keys: Keys, *, make: bool) -> None:
        """Open the storage.

        Args:
            make: create the folder if it is missing.

        Raises:
            BackupError: the storage cannot be opened.
        """
        self.place, self.keys = place, keys
        self.written: list[File] = []
        self.retired: list[str] = []
        self.listed: set[str] | None = None
        self.number = 0
        self.expected: Mapping[str, File] = {}
        with storage_errors(place):
            self._store = open_storage(place, make=make)

    # --- open, for everybody ------------------------------------------------------------------------------------------
    def write_open(self, name: str, data: bytes) -> None:
        with storage_errors(self.place):
            obstore.put(self._store, name, data)

    def write_listed(self, path: str, data: bytes) -> None:
        """Write an unencrypted file that the next mark will list."""
        self.write_open(path, data)
        self.written.append(File(path, len(data), digest_of(data)))

    def read_open(self, name: str) -> bytes:
        """Read an unencrypted file.

        Raises BackupError; Damaged if the file is missing or differs from the mark.
        """
        with storage_errors(self.place):
            try:
                data = bytes(obstore.get(self._store, name).bytes())
            except NOT_FOUND_ERRORS as error:
                raise Damaged(f"{name} is missing.") from error
        self._check_expected(File(name, len(data), digest_of(data)))
        return data

    def names(self, prefix: str) -> list[str]:
        """Return the names of all files below a folder, sorted."""
        return sorted(path.removesuffix(SEALED) for path in self.sizes(prefix))

    def sizes(self, prefix: str | None = None) -> dict[str, int]:
        """Return the size in bytes of each file below a folder, by path."""
        with storage_errors(self.place):
            return {meta["path"]: meta["size"] for page in obstore.list(self._store, prefix) for meta in page}

    def describe(self, path: str) -> File:
        """Return a file's size and digest. Raises BackupError; Damaged if it is missing."""
        digest = FileDigest()
        with self._open_reader(path, digest) as source:
            drain(source)
        return digest.file(path)

    def remove(self, names: Iterable[str]) -> None:
        """Remove encrypted files."""
        self.remove_open([name + SEALED for name in names])

    def remove_open(self, names: Iterable[str]) -> None:
        """Remove files by path, ignoring missing ones."""
        for name in names:
            with storage_errors(self.place), suppress(*NOT_FOUND_ERRORS):
                obstore.delete(self._store, name)

    # --- sealed -------------------------------------------------------------------------------------------------------
    def write(self, name: str, data: bytes) -> None:
        self.write_listed(name + SEALED, pyrage.encrypt(data, [self._recipient]))

    def read(self, name: str) -> bytes:
        """Return the decrypted content of a file.

        Raises BackupError if the key is wrong; Damaged if the file was changed.
        """
        sink = io.BytesIO()
        self.read_into(name, sink)
        return sink.getvalue()

    def write_stream(self, name: str, source: IO[bytes], check_source: Callable[[], None]) -> None:
        """Encrypt a stream into a file.

        Args:
            check_source: raises if the source has failed; the file is then not stored.
        """
        digest = FileDigest()
        with storage_errors(self.place), obstore.open_writer(self._store, name + SEALED) as sink:
            pyrage.encrypt_io(cast(Stream, source), cast(Stream, DigestingWriter(sink, digest)), [self._recipient])
            check_source()
        self.written.append(digest.file(name + SEALED))

    def read_into(self, name: str, sink: IO[bytes]) -> None:
        """Write the decrypted content of a file to a sink.

        Raises BackupError if the key is wrong; Damaged if the file was changed.
        """
        if self.keys.identity is None:
            raise BackupError("LUDARIUM_BACKUP_KEY must hold the key that opens the backups: AGE-SECRET-KEY-1…")
        digest = FileDigest()
        with self._open_reader(name + SEALED, digest) as source:
            try:
                with decryption_errors(name, self.keys.identity):
                    pyrage.decrypt_io(source, cast(Stream, sink), [self.keys.identity])
            finally:                            # a changed file is damaged, whatever age makes of it
                drain(source)
                self._check_expected(digest.file(name + SEALED))

    @property
    def _recipient(self) -> pyrage.x25519.Recipient:
        assert self.keys.recipient is not None
        return self.keys.recipient

    @contextmanager
    def _open_reader(self, path: str, digest: FileDigest) -> Iterator[io.BufferedReader]:
        with storage_errors(self.place):
            try:
                yield io.BufferedReader(DigestingReader(self._store, path, digest), CHUNK)
            except NOT_FOUND_ERRORS as error:
                raise Damaged(f"{path} is missing.") from error

    def _check_expected(self, found: File) -> None:
        if self.expected.get(found.path, found) != found:
            raise Changed(f"{found.path} is not the file that the mark lists: it was changed, cut off or exchanged.")


class FileDigest:
    """The size and digest of a file, updated as bytes are processed."""

    def __init__(self) -> None:
        self._size, self._hash = 0, blake2b(digest_size=32)

    def add(self, data: bytes | memoryview) -> None:
        self._size += len(data)
        self._hash.update(data)

    def file(self, path: str) -> File:
        return File(path, self._size, self._hash.hexdigest())


class DigestingWriter(io.RawIOBase):
    """A writer that passes bytes on and adds them to a digest."""

    def __init__(self, sink: obstore.WritableFile, digest: FileDigest) -> None:
        self._sink, self._digest = sink, digest

    def writable(self) -> bool:
        return True

    def write(self, data: bytes) -> int:  # type: ignore[override]
        self._digest.add(data)
        return self._sink.write(data)


class DigestingReader(io.RawIOBase):
    """A reader of a stored file that adds the bytes to a digest."""

    def __init__(self, store: Storage, name: str, digest: FileDigest) -> None:
        self._source, self._digest = obstore.open_reader(store, name), digest

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        data = self._source.read(len(buffer))
        buffer[: len(data)] = memoryview(data)
        self._digest.add(memoryview(data))
        return len(data)


def drain(source: io.BufferedReader) -> None:
    while source.read(CHUNK):
        pass


def digest_of(data: bytes) -> str:
    return blake2b(data, digest_size=32).hexdigest()


def open_storage(place: str, *, make: bool) -> Storage:
    """Open a folder or a bucket.

    The address and keys of S3 come from the usual AWS_* variables.
    """
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
def storage_errors(place: str) -> Iterator[None]:
    """Turn errors of the storage into BackupError."""
    try:
        yield
    except STORAGE_ERRORS as error:
        raise BackupError(f"{place} cannot be used: {str(error).strip().splitlines()[0]}") from error


@contextmanager
def decryption_errors(name: str, identity: pyrage.x25519.Identity) -> Iterator[None]:
    """Turn decryption errors into BackupError (wrong key) or Damaged (changed file)."""
    try:
        yield
    except (pyrage.DecryptError, OSError) as error:
        if str(error).startswith(OTHER_KEY):
            raise BackupError(
                f"{name} is sealed for another key: LUDARIUM_BACKUP_KEY opens what is sealed for {identity.to_public()}."
            ) from error
        raise Damaged(f"{name} is damaged: it was changed or cut off ({error}).") from error


# --- keys -------------------------------------------------------------------------------------------------------------
def read_keys(config: Config) -> Keys:
    """Return the keys from the settings. Raises BackupError."""
    identity = None if config.backup_key is None else parse_identity(config.backup_key)
    signer = Signer(config.signing_key, config.signing_keys_before)
    if config.backup_recipient is not None:
        return Keys(parse_recipient(config.backup_recipient), identity, signer)
    if identity is None:
        raise BackupError(
            "Backups are sealed: LUDARIUM_BACKUP_RECIPIENT must name their public key, age1…, "
            "which `ludarium backup-key` makes."
        )
    return Keys(identity.to_public(), identity, signer)


def parse_identity(text: str) -> pyrage.x25519.Identity:
    try:
        return pyrage.x25519.Identity.from_str(text)
    except pyrage.IdentityError:
        raise BackupError("LUDARIUM_BACKUP_KEY is no secret key: it has the form AGE-SECRET-KEY-1…") from None


def parse_recipient(text: str) -> pyrage.x25519.Recipient:
    try:
        return pyrage.x25519.Recipient.from_str(text)
    except pyrage.RecipientError:
        raise BackupError("LUDARIUM_BACKUP_RECIPIENT is no public key: it has the form age1…") from None
