"""Negotiate content by request headers, and name these headers in `Vary`."""

from collections.abc import Collection
from functools import cache

from litestar.handlers import HTTPRouteHandler
from litestar.params import HeaderParameter
from litestar.types import Scope

from ludarium.platform.locale import AUTO, LOCALES, preferred
from ludarium.platform.request_context import vary

CONDITIONS = {"If-Match", "Idempotency-Key"}
"""Header parameters that affect whether a request is carried out, but not the content of the response."""


def asked(scope: Scope, name: str) -> str:
    """Return a request header, empty if missing, and add the header's name to `Vary`."""
    vary(name)
    key = name.lower().encode()
    return ", ".join(value.decode("latin-1") for known, value in scope["headers"] if known == key)


def locale_of(scope: Scope, tag: str | None = None, available: Collection[str] = LOCALES) -> str:
    """Return the locale for a response.

    Args:
        tag: the language tag in the query or path; without a tag, or with AUTO, Accept-Language decides.
        available: the locales to choose from.
    """
    accepted = asked(scope, "Accept-Language")
    return preferred(accepted if tag is None or tag == AUTO else tag, available)


@cache
def header_parameters(handler: HTTPRouteHandler) -> tuple[str, ...]:
    """Return the request headers on which a handler's response depends.

    These are all header parameters of the handler, except CONDITIONS.
    """
    fields = handler.parsed_fn_signature.parameters.values()
    kinds = [field.kwarg_definition for field in fields if isinstance(field.kwarg_definition, HeaderParameter)]
    return tuple(str(kind.name) for kind in kinds if kind.name not in CONDITIONS)
