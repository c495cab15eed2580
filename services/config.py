"""The settings of everything that runs: the LUDARIUM_* variables of the environment."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import msgspec

from services.proxies import Proxies

PREFIX = "LUDARIUM_"

Port = Annotated[int, msgspec.Meta(ge=0, le=65535)]


class ConfigError(Exception):
    """A LUDARIUM_* variable that is unknown or has no usable value."""


class Config(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One field a variable: `ws_port` is LUDARIUM_WS_PORT. docs/operators.md explains each."""

    database_url: str | None = None
    database_owner_url: str | None = None
    redis_url: str | None = None
    home: Path = Path(".ludarium")
    pg_user: str | None = None
    host: str = "127.0.0.1"
    port: Port = 8000
    ws_port: Port = 8001
    ws_url: str | None = None
    rate_limits: bool = True
    bot_games: Annotated[int, msgspec.Meta(ge=1)] = 8
    hot_tables: Annotated[int, msgspec.Meta(ge=1)] = 10_000
    trusted_proxies: Proxies = Proxies("127.0.0.1,::1")
    data_dir: Path | None = None


def read_config(environment: Mapping[str, str] = os.environ) -> Config:
    """The settings of `environment`; an empty value counts as not given.

    Raises:
        ConfigError: naming the variable.
    """
    given = {
        name.removeprefix(PREFIX).lower(): value
        for name, value in environment.items()
        if name.startswith(PREFIX) and value
    }
    if unknown := given.keys() - set(Config.__struct_fields__):
        raise ConfigError(f"There is no setting {PREFIX}{min(unknown).upper()}.")
    try:
        return msgspec.convert(given, Config, strict=False, dec_hook=_decoded)
    except msgspec.ValidationError as error:
        raise ConfigError(_explained(error)) from None


def _decoded(kind: type[Path | Proxies], value: str) -> Path | Proxies:
    # The types here that msgspec does not know.
    return kind(value)


def _explained(error: msgspec.ValidationError) -> str:
    # msgspec ends its message in "at `$.ws_port`".
    problem, _, field = str(error).removesuffix("`").rpartition(" - at `$.")
    return f"{PREFIX}{field.upper()}: {problem}"
