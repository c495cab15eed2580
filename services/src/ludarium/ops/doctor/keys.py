"""Checks keys, and what strangers could read or do."""
from __future__ import annotations

from collections.abc import Iterator
from ipaddress import ip_address
from urllib.parse import parse_qs, urlsplit

from ludarium.ops.backups.errors import BackupError
from ludarium.ops.backups.vault import read_keys
from ludarium.ops.doctor.findings import LOCAL, Finding, ok, warning, wrong
from ludarium.platform import valkey
from ludarium.platform.config import Config

VERIFYING_MODES = {"verify-ca", "verify-full"}
KEEP_KEY_APART = "Keep it where neither the backups nor this machine are, and give it to `ludarium restore` alone."


def keys(config: Config) -> Iterator[Finding]:
    yield check_backup_key(config)
    yield check_signing_key(config)
    yield check_origin(config)
    if not config.rate_limits:
        detail = "nobody is held back: LUDARIUM_RATE_LIMITS is false"
        yield warning("rates", detail, "Leave it away where strangers come.")
    if config.database_url is not None:
        yield check_database_connection(config.database_url)
    if config.redis_url is not None:
        yield check_valkey_connection(config.redis_url)


def check_backup_key(config: Config) -> Finding:
    if config.backup_recipient is None and config.backup_key is None:
        return ok("backup key", "none is set here; `ludarium backup` asks for it")
    try:
        keys = read_keys(config)
    except BackupError as problem:
        return wrong("backup key", str(problem), "`ludarium backup-key` makes a pair.")
    if keys.identity is None:
        return ok("backup key", f"backups are sealed for {keys.recipient}, and cannot be opened here")
    if str(keys.identity.to_public()) != str(keys.recipient):
        return wrong(
            "backup key", "LUDARIUM_BACKUP_KEY does not open what is sealed for LUDARIUM_BACKUP_RECIPIENT",
            "Set the two that belong together.",
        )  # fmt: skip
    return warning("backup key", "who gets at this process can open the backups, with the hands of all games", KEEP_KEY_APART)


def check_signing_key(config: Config) -> Finding:
    if config.signing_key is None:
        return ok("signing key", "none is set: no statement is signed")
    return ok("signing key", f"statements are signed; {len(config.signing_keys_before)} keys have signed before")


def check_origin(config: Config) -> Finding:
    if config.ws_url and config.ws_url.startswith("wss://") and config.origin is None:
        detail = "LUDARIUM_ORIGIN is not set: passkeys and the links in letters would be of this machine alone"
        return warning("origin", detail, "Set it to the address that people open; passkeys belong to its host for ever.")
    return ok("origin", f"people open {config.origins(config.port)}")


# --- the lines to both servers ------------------------------------------------------------------------------------------
def check_database_connection(url: str) -> Finding:
    parts = urlsplit(url)
    given = parse_qs(parts.query)
    host = given.get("host", [parts.hostname or ""])[0]
    mode = given.get("sslmode", ["prefer"])[0]
    if is_local(host):
        return ok("line to PostgreSQL", "on this machine")
    if mode not in VERIFYING_MODES:
        detail = f"sslmode is {mode}: whoever is in between could be PostgreSQL"
        return warning("line to PostgreSQL", detail, "Write sslmode=verify-full&sslrootcert=… into LUDARIUM_DATABASE_URL.")
    return ok("line to PostgreSQL", f"{host} is known by its certificate ({mode})")


def check_valkey_connection(url: str) -> Finding:
    """Check the connection to Valkey, which carries the events of commands."""
    parts = urlsplit(valkey.seeds(url)[0])
    hosts = [urlsplit(seed).hostname or "" for seed in valkey.seeds(url)]
    named = ", ".join(hosts)
    if parts.scheme == "unix" or all(map(is_local, hosts)):
        return ok("line to Valkey", "on this machine")
    if not parts.password:
        detail = f"without a password whoever reaches {named} hears all hands"
        return warning("line to Valkey", detail, "Set requirepass, and write it into LUDARIUM_REDIS_URL.")
    if parts.scheme != "rediss":
        return ok("line to Valkey", f"{named}: a password; without TLS (rediss://) its network must be nobody else's")
    return ok("line to Valkey", f"{named}: a password and TLS")


def is_local(host: str) -> bool:
    if not host or host.startswith("/") or host in LOCAL:
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
