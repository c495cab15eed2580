"""The OpenAPI document: paths from Litestar's handlers, schemas from msgspec.

Litestar loses discriminators, constraints on list items and `additionalProperties: false`. msgspec's JSON Schema has them
all, so its components replace Litestar's. Each operation lists its problems by code. Whether it needs a token follows from
the parameters of its handler.
"""

from collections.abc import Iterable, Iterator
from functools import cache
from http import HTTPStatus
from importlib.metadata import version
from typing import Annotated, Any, cast, get_args

import msgspec
from litestar import Litestar
from litestar.di import Provide
from litestar.handlers import HTTPRouteHandler
from litestar.openapi import OpenAPIConfig
from litestar.openapi.spec import License
from litestar.routes import HTTPRoute
from litestar.types import Empty
from litestar.typing import FieldDefinition

from ludarium.accounts.access import NEEDS_OF_BANNED, SCOPES, SESSION_NEEDS, SESSION_ONLY_NEEDS
from ludarium.accounts.routes.oauth_forms import FORM, OAuthError
from ludarium.api.routes import DEPENDENCIES, ROUTES
from ludarium.api.value_names import named_sets
from ludarium.clocks.settings import Clock
from ludarium.http import headers
from ludarium.http.auth import need_of
from ludarium.http.errors import MEDIA_TYPE
from ludarium.http.operations import ALWAYS
from ludarium.http.parameters import KEY
from ludarium.live.stream_outlet import NDJSON, SSE
from ludarium.platform import json_schema, value_sets
from ludarium.platform.json_schema import REF
from ludarium.platform.problems import KINDS, TYPE, ProblemDetails
from ludarium.tables.event_schemas import EventBody
from ludarium_engine.kernel.bodies import FactBody
from ludarium_engine.kernel.decoding import from_json

METHODS = ("get", "post", "put", "patch", "delete")
DESCRIPTION = """Play, watch and replay tabletop games.

A view carries the legal actions as data: a client that knows no rules plays by picking from what is offered.
Errors are `application/problem+json` with a stable `code`."""
TAGS = {
    "players": "Guests, and what concerns the caller.",
    "moderation": "For who sees to it that people can play here in peace.",
    "apps": "Other people's apps: what they may do is their users' word (OAuth 2.1).",
    "tables": "Open tables, sit down, play and watch.",
    "archive": "Finished games: records, replays, figures.",
    "studies": "What people write about games: studies of their own, comments below games that are over.",
    "rulesets": "What can be played, with all that a client needs to show it.",
    "tournaments": "Enter them, hold them, follow them.",
    "operations": "Where things are, and whether they run.",
}
UNIONS = {"Clock": Clock, "Event": EventBody, "Fact": FactBody}
NO_TOKEN: list[Any] = []
MAYBE_TOKEN: list[Any] = [{}, {"token": []}]
SCHEMES = {
    "token": {
        "type": "http",
        "scheme": "bearer",
        "description": "A session, or a token that has the scopes that are named:\n"
        + "\n".join(f"- `{scope}`: {what}" for scope, what in SCOPES.items()),
    },
    "session": {
        "type": "http",
        "scheme": "bearer",
        "description": "A session: a token from `POST /guests` or from signing in. `signed-in`: of the last ten minutes. "
        "`own`: of the last ten minutes, or a guest's. `admin-act`: of the last 15 minutes, by passkey, of a moderator or an "
        "administrator.",
    },
}
Document = dict[str, Any]
STREAM = {kind: {"schema": {"type": "string"}} for kind in (NDJSON.media_type, SSE.media_type)}


@cache
def encoded() -> bytes:
    return msgspec.json.format(msgspec.json.encode(described()), indent=1)


def document() -> Document:
    """Return the OpenAPI 3.1 document as parsed JSON."""
    return cast(Document, from_json(encoded()))


def described() -> Document:
    app = described_app()
    found = app.openapi_schema.to_schema()
    for handler, operation in operations(app, found):
        describe(operation)
        describe_success(operation)
        constrain(operation, handler)
        if handler.opt.get("streams"):
            operation["responses"]["200"]["content"] = STREAM
        if handler.opt.get("ndjson"):
            operation["responses"]["200"]["content"] = {NDJSON.media_type: {"schema": {"type": "string"}}}
        if body := handler.opt.get("tells"):
            operation["responses"]["200"]["content"] = {"application/json": {"schema": reference(body)}}
        for kind in handler.opt.get("also", ()):
            operation["responses"]["200"]["content"][kind] = {"schema": {"type": "string"}}
        if file := handler.opt.get("file"):
            operation["requestBody"] = {"required": True, "content": {"application/json": {"schema": reference(file)}}}
        if form := handler.opt.get("form"):
            operation["requestBody"] = {"required": True, "content": {FORM: {"schema": reference(form)}}}
        if body := handler.opt.get("example"):
            next(iter(operation["requestBody"]["content"].values()))["example"] = body
        complete(operation, security(handler), handler.opt)
    paths, schemas = json_schema.for_generators(found["paths"], {}), components(app)
    named = named_sets(schemas)
    names = {values: name for name, values in named.items()}
    found["paths"] = value_sets.replaced(paths, set(), names)
    found["tags"] = [{"name": name, "description": text} for name, text in TAGS.items()]
    found["components"] = {
        "schemas": value_sets.marked(schemas, answers_of(paths), named),
        "headers": headers.HEADERS,
        "examples": {code: example(code) for code in sorted(codes_of(found))},
        "securitySchemes": SCHEMES,
    }
    return found


def answers_of(paths: Document) -> list[Any]:
    """Return the responses of all operations."""
    return [operation["responses"] for path in paths.values() for operation in path.values()]


def described_app() -> Litestar:
    """Return an application with the same routes that only describes them."""
    config = OpenAPIConfig(
        title="Ludarium",
        version=version("ludarium"),
        description=DESCRIPTION,
        license=License("MIT", identifier="MIT"),
        use_handler_docstrings=True,
        operation_id_creator=lambda handler, method, path: operation_id(handler),
    )
    return Litestar(ROUTES, dependencies=DEPENDENCIES, openapi_config=config, logging_config=None)


def operation_id(handler: HTTPRouteHandler) -> str:
    """Return the handler's name, a verb and a noun, in camel case."""
    verb, *nouns = handler.handler_name.split("_")
    return verb + "".join(noun.capitalize() for noun in nouns)


def operations(app: Litestar, found: Document) -> Iterator[tuple[HTTPRouteHandler, Document]]:
    for handler, method, path in handlers(app):
        if handler.resolve_include_in_schema():
            yield handler, found["paths"][path][method.lower()]


def handlers(app: Litestar) -> Iterator[tuple[HTTPRouteHandler, str, str]]:
    for route in app.routes:
        if isinstance(route, HTTPRoute):
            for method, (handler, _) in route.route_handler_map.items():
                if method.lower() in METHODS:
                    yield handler, method, route.path_format


def components(app: Litestar) -> Document:
    types = {ProblemDetails: None}
    for handler, _, _ in handlers(app):
        if handler.resolve_include_in_schema():
            types |= dict.fromkeys(bodies(handler))
    schemas = json_schema.components(types, UNIONS)
    # The layer of problems is below that of tables, so ProblemDetails cannot name the type of a table's events.
    schemas["ProblemDetails"]["properties"]["events"] = schemas["EventPage"]["properties"]["events"]
    return schemas


def bodies(handler: HTTPRouteHandler) -> Iterable[Any]:
    """Return the Structs of an operation's requests and responses."""
    given = handler.parsed_data_field.annotation if handler.parsed_data_field else None
    answer = handler.parsed_return_field.annotation
    form = (handler.opt["form"], OAuthError) if "form" in handler.opt else ()
    return [body for body in (given, answer, *get_args(answer), *form, handler.opt.get("tells")) if is_struct(body)]


def reference(kind: type[msgspec.Struct]) -> Document:
    return {"$ref": REF.format(name=kind.__name__)}


def is_struct(body: Any) -> bool:
    return isinstance(body, type) and issubclass(body, msgspec.Struct)


def describe(operation: Document) -> None:
    """Split the docstring into a summary and a description."""
    summary, _, rest = operation.pop("description").partition("\n\n")
    operation["summary"] = summary.replace("\n", " ")
    if rest:
        operation["description"] = rest


def describe_success(operation: Document) -> None:
    """Describe responses by the phrase of their status.

    Litestar's default comes from Python's standard library.
    """
    for code, response in operation["responses"].items():
        status = HTTPStatus(int(code))
        if response["description"] == status.description:
            response["description"] = f"{status.phrase}."


def constrain(operation: Document, handler: HTTPRouteHandler) -> None:
    """Set the schemas of parameters.

    Litestar drops the bounds of an optional parameter, and makes it nullable, which a query cannot express.
    """
    by_name = {getattr(field.kwarg_definition, "name", None) or name: field for name, field in parameters_of(handler).items()}
    for parameter in operation.get("parameters", []):
        parameter["schema"] = parameter_schema(by_name[parameter["name"]])


def parameters_of(handler: HTTPRouteHandler) -> dict[str, FieldDefinition]:
    """Return the parameters of a route and of the dependencies of this route alone."""
    fields: dict[str, FieldDefinition] = {}
    for dependency in (handler.dependencies or {}).values():
        provider = dependency if isinstance(dependency, Provide) else Provide(dependency)
        fields |= provider.parsed_fn_signature.parameters
    return fields | handler.parsed_fn_signature.parameters


def parameter_schema(field: FieldDefinition) -> Document:
    kind, told = field.args[0] if field.is_optional else field.annotation, field.kwarg_definition
    names = ("ge", "le", "min_length", "max_length", "pattern")
    bounds = msgspec.Meta(**{name: getattr(told, name) for name in names})
    default = {} if field.default in (None, Empty) else {"default": field.default}
    return {**msgspec.json.schema(Annotated[kind, bounds]), **(getattr(told, "schema_extra", None) or {}), **default}


def security(handler: HTTPRouteHandler) -> list[Any]:
    """Return the security requirement: a token, an optional one, or none.

    An operation without requirement ignores tokens (`ludarium.http.auth`).
    """
    taken = parameters_of(handler)
    if not {"player", "access"} & taken.keys():
        return MAYBE_TOKEN if "visitor" in taken else NO_TOKEN
    need = need_of(handler)
    scheme = "session" if need in SESSION_NEEDS else "token"
    return [{scheme: [] if need in ("token", "session") else [need]}]


def complete(operation: Document, token: list[Any], opt: Document) -> None:
    """Add the security requirement, the problems and the headers."""
    operation["security"] = token
    answers = operation["responses"]
    answers.pop("400", None)
    if "form" in opt:
        answers["400"] = {"content": {"application/json": {"schema": reference(OAuthError)}}}
    for status, problem in problem_responses(problems(operation, opt)).items():
        answers[status] = problem | {"content": answers.get(status, {}).get("content", {}) | problem["content"]}
    for status, response in answers.items():
        response["headers"] = headers.told(status, opt)


def problems(operation: Document, opt: Document) -> Iterator[str]:
    """Yield the codes of the problems that the operation can return."""
    yield from opt.get("problems", ())
    yield from ALWAYS
    security = operation["security"]
    if security != NO_TOKEN:
        yield "invalid-token"
    if security not in (NO_TOKEN, MAYBE_TOKEN):
        yield "unauthenticated"
        yield from refusals(security)
    if "form" in opt or "file" in opt:
        yield "body-too-large"
    elif "requestBody" in operation:
        yield from ("invalid-json", "invalid-request", "body-too-large")
    parameters = [parameter["name"] for parameter in operation.get("parameters", [])]
    if parameters:
        yield "invalid-request"
    if any(parameter["in"] == "path" for parameter in operation.get("parameters", [])):
        yield "no-such-path"                    # a value with a slash, or a word where a number belongs, is another path
    if KEY.name not in parameters:
        yield "key-not-taken"


def refusals(security: list[Any]) -> Iterator[str]:
    """Yield the codes for a valid token that is not sufficient."""
    ((scheme, needs),) = security[0].items()
    if {*needs} - NEEDS_OF_BANNED:
        yield "banned"
    if scheme == "session":
        yield "session-needed"
    if needs:
        yield "sign-in-again" if {*needs} <= SESSION_ONLY_NEEDS else "insufficient-scope"
    if "admin-act" in needs:
        yield "passkey-needed"


def problem_responses(codes: Iterable[str]) -> Document:
    by_status: dict[str, list[str]] = {}
    for code in dict.fromkeys(codes):
        by_status.setdefault(str(KINDS[code].status), []).append(code)
    return {status: problem_response(those) for status, those in sorted(by_status.items())}


def problem_response(codes: list[str]) -> Document:
    return {
        "description": "\n".join(f"`{code}`: {KINDS[code].when}" for code in codes),
        "content": {
            MEDIA_TYPE: {
                "schema": reference(ProblemDetails),
                "examples": {code: {"$ref": f"#/components/examples/{code}"} for code in codes},
            }
        },
    }


def example(code: str) -> Document:
    kind = KINDS[code]
    return {"value": {"type": TYPE + code, "title": kind.title, "status": kind.status, "code": code}}


def codes_of(document: Document) -> set[str]:
    """Return the codes of the problems of all operations."""
    answers = [answer for path in document["paths"].values() for each in path.values() for answer in each["responses"].values()]
    return {code for answer in answers for code in answer.get("content", {}).get(MEDIA_TYPE, {}).get("examples", {})}
