"""Read the settings of all processes from the LUDARIUM_* environment variables."""

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, get_type_hints

import msgspec

from ludarium.platform.client_address import Proxies
from ludarium.platform.origins import Origins
from ludarium.platform.signing_keys import BadKey, PublicKeys, Signer
from ludarium_engine.kernel.decoding import converter

ROLES = ("api", "live", "projections", "bots", "timers")
"""The roles of a process."""


class Roles(frozenset[str]):
    """The roles of a process.

    - api: serves HTTP.
    - live: serves WebSockets.
    - projections: follows the log and updates lists.
    - bots: plays for bots.
    - timers: applies deadlines.
    """

    def __new__(cls, names: str = ",".join(ROLES)) -> "Roles":
        """Parse roles separated by commas. Raises ValueError."""
        given = [name.strip() for name in names.split(",") if name.strip()]
        if unknown := sorted({*given} - {*ROLES}):
            raise ValueError(f"there is no role {', '.join(unknown)}; there are {', '.join(ROLES)}")
        if not given:
            raise ValueError(f"name some of {', '.join(ROLES)}")
        return super().__new__(cls, given)

    def __str__(self) -> str:
        return ",".join(name for name in ROLES if name in self)

    @property
    def complete(self) -> bool:
        return len(self) == len(ROLES)

    @property
    def commands(self) -> bool:
        """True if the process accepts commands from players."""
        return bool(self & {"api", "live"})

    @property
    def answers_http(self) -> bool:
        """True if the process serves HTTP, for the API or for health checks.

        With the role `live` but not `api`, the WebSocket port answers health checks.
        """
        return "api" in self or "live" not in self


PREFIX = "LUDARIUM_"
MASK = "***"
IN_FRONT = re.compile(r"(://[^:/?]*):.*@")
IN_QUERY = re.compile(r"(password=)[^&]*", re.IGNORECASE)
SECRETS = frozenset({"backup_key", "signing_key"})
"""Names of settings whose values are never shown."""

Port = Annotated[int, msgspec.Meta(ge=0, le=65535)]
Count = Annotated[int, msgspec.Meta(ge=1)]
Is = msgspec.Meta


class ConfigError(Exception):
    """A LUDARIUM_* variable is unknown or has no usable value."""


class Config(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The settings, each in the field named like its variable.

    The variable of `ws_port`, for example, is LUDARIUM_WS_PORT.

    All settings are explained in docs/operators.md.
    """

    database_url: Annotated[str | None, Is(description="URL of PostgreSQL with the service's login; not set: embedded")] = None
    database_owner_url: Annotated[str | None, Is(description="URL with the owner's login, for migrate and rebuild")] = None
    redis_url: Annotated[str | None, Is(description="URL of Valkey; not set: embedded")] = None
    home: Annotated[Path, Is(description="data directory of the embedded servers")] = Path(".ludarium")
    pg_user: Annotated[str | None, Is(description="account that runs the embedded servers if started as root")] = None
    host: Annotated[str, Is(description="address that HTTP and the live gateway listen on")] = "127.0.0.1"
    port: Annotated[Port, Is(description="port of HTTP")] = 8000
    ws_port: Annotated[Port, Is(description="port of the live gateway")] = 8001
    ws_url: Annotated[str | None, Is(description="public address of the gateway; not set: the host of the request")] = None
    origin: Annotated[
        Origins | None, Is(description="public address of the pages; not set: http://localhost with the port of HTTP")
    ] = None
    smtp_url: Annotated[str | None, Is(description="smtp:// or smtps:// server for e-mail; not set: no e-mail")] = None
    mail_from: Annotated[str, Is(description="sender of e-mail")] = "Ludarium <ludarium@localhost>"
    roles: Annotated[Roles, Is(description="roles of the process: some of api, live, projections, bots, timers")] = Roles()
    rate_limits: Annotated[bool, Is(description="false: requests are not limited")] = True
    bot_games: Annotated[Count, Is(description="running games with only bots per player")] = 8
    hot_tables: Annotated[Count, Is(description="tables kept in memory, about 10 KiB each")] = 10_000
    trusted_proxies: Annotated[Proxies, Is(description="proxies that may name a client's address")] = Proxies("127.0.0.1,::1")
    data_dir: Annotated[Path | None, Is(description="folder of files that replace titles' data")] = None
    pages: Annotated[Path | None, Is(description="folder with the pages about, privacy and terms; not set: no pages")] = None
    shell: Annotated[bool, Is(description="false: browsers delete their stored copy of the web client")] = True
    words: Annotated[Path | None, Is(description="file of words banned from names and chat; not set: a built-in list")] = None
    metrics_host: Annotated[str, Is(description="address that metrics listen on, for Prometheus only")] = "127.0.0.1"
    metrics_port: Annotated[Port | None, Is(description="port of the metrics; not set: no metrics")] = None
    traces_url: Annotated[str | None, Is(description="OTLP endpoint for traces, over HTTP; not set: no traces")] = None
    traces_part: Annotated[float, Is(gt=0, le=1, description="fraction of traces that is sent")] = 0.01
    archive: Annotated[str | None, Is(description="folder or s3://… of archived games; not set: no archive")] = None
    backup_recipient: Annotated[str | None, Is(description="public key that backups are encrypted for, age1…")] = None
    backup_key: Annotated[str | None, Is(description="secret key that decrypts backups, needed only by restore")] = None
    signing_key: Annotated[str | None, Is(description="secret key that signs statements; not set: no signatures")] = None
    signing_keys_before: Annotated[PublicKeys, Is(description="public keys of earlier signatures")] = PublicKeys()
    log: Annotated[Literal["text", "json"], Is(description="log format: readable lines, or JSON")] = "text"

    def origins(self, port: int) -> Origins:
        """Return the configured origins, or the local origin for this port."""
        return self.origin or Origins(f"http://localhost:{port}")


class Setting(NamedTuple):
    """A setting, its current value without passwords, and where the value comes from.

    Attributes:
        variable: the environment variable.
        value: the value as text, empty if there is none.
        origin: whether the value is the default or set in the environment.
        told: a description of the setting.
    """

    variable: str
    value: str
    origin: Literal["default", "environment"]
    told: str


def read_config(environment: Mapping[str, str] = os.environ) -> Config:
    """Parse the settings in `environment`, where an empty value counts as not set.

    Raises:
        ConfigError: a variable is unknown or has no usable value; the message names the variable.
    """
    given = _given(environment)
    if unknown := given.keys() - set(Config.__struct_fields__):
        raise ConfigError(f"There is no setting {PREFIX}{min(unknown).upper()}.")
    try:
        config = converter(Config, strict=False, dec_hook=_decoded)(given)
        Signer(config.signing_key)
    except msgspec.ValidationError as error:
        raise ConfigError(_explained(error)) from None
    except BadKey as error:
        raise ConfigError(f"{PREFIX}SIGNING_KEY: {error}: `ludarium signing-key` makes one.") from None
    return config


def settings(environment: Mapping[str, str] = os.environ) -> Iterator[Setting]:
    """Yield all settings with their current values. Raises ConfigError."""
    config, given = read_config(environment), _given(environment)
    for name, kind in get_type_hints(Config, include_extras=True).items():
        value: Any = getattr(config, name)
        origin: Literal["environment", "default"] = "environment" if name in given else "default"
        yield Setting(PREFIX + name.upper(), shown(name, value), origin, _description(kind))


def shown(name: str, value: Any) -> str:
    if value is None:
        return ""
    return MASK if name in SECRETS else masked(str(value).lower() if isinstance(value, bool) else str(value))


def masked(value: str) -> str:
    """Return a URL with its password masked, even if the password is badly quoted."""
    return IN_QUERY.sub(rf"\1{MASK}", IN_FRONT.sub(rf"\1:{MASK}@", value))


def _given(environment: Mapping[str, str]) -> dict[str, str]:
    return {
        name.removeprefix(PREFIX).lower(): value
        for name, value in environment.items()
        if name.startswith(PREFIX) and value
    }


def _description(kind: Any) -> str:
    return next(str(meta.description) for meta in kind.__metadata__ if meta.description)


def _decoded(kind: type[Path | Proxies | Origins | Roles | PublicKeys], value: str) -> Any:
    # the types that msgspec does not know
    return kind(value)


def _explained(error: msgspec.ValidationError) -> str:
    # msgspec ends its message in "at `$.ws_port`"
    problem, _, field = str(error).removesuffix("`").rpartition(" - at `$.")
    return f"{PREFIX}{field.upper()}: {problem}"
