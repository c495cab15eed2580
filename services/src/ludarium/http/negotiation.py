"""Content negotiation. Request headers that are read here are named in `Vary`."""

from collections.abc import Collection
from functools import cache

from litestar.handlers import HTTPRouteHandler
from litestar.params import HeaderParameter
from litestar.types import Scope

from ludarium.platform.locale import LOCALES, preferred
from ludarium.platform.request_context import vary

CONDITIONS = {"If-Match", "Idempotency-Key"}
"""Header parameters that decide whether a request is carried out, but not what its answer contains."""


def asked(scope: Scope, name: str) -> str:
    """Return a request header, or an empty text, and name it in `Vary`."""
    vary(name)
    key = name.lower().encode()
    return ", ".join(value.decode("latin-1") for known, value in scope["headers"] if known == key)


def locale_of(scope: Scope, tag: str | None = None, available: Collection[str] = LOCALES) -> str:
    """Return the locale of an answer.

    By the tag in query or path, otherwise by Accept-Language.
    """
    accepted = asked(scope, "Accept-Language")
    return preferred(accepted if tag is None else tag, available)


@cache
def header_parameters(handler: HTTPRouteHandler) -> tuple[str, ...]:
    """Return the request headers that a handler's answer depends on.

    These are its header parameters, without conditions.
    """
    fields = handler.parsed_fn_signature.parameters.values()
    kinds = [field.kwarg_definition for field in fields if isinstance(field.kwarg_definition, HeaderParameter)]
    return tuple(str(kind.name) for kind in kinds if kind.name not in CONDITIONS)
