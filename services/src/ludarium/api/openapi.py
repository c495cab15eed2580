"""The OpenAPI document: paths from Litestar's handlers, schemas from msgspec.

Litestar loses discriminators, constraints on list items and `additionalProperties: false`. msgspec's JSON Schema has them
all, so its components replace Litestar's. Whether an operation needs a token follows from the parameters of its handler.
"""

from collections.abc import Iterable, Iterator
from functools import cache
from http import HTTPStatus
from importlib.metadata import version
from importlib.resources import files
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

from ludarium.accounts.access import SCOPES, SESSION_NEEDS
from ludarium.accounts.routes.oauth_forms import FORM, OAuthError
from ludarium.api import problem_responses, shared_parts
from ludarium.api.problem_responses import CODES, MAYBE_TOKEN, NO_TOKEN
from ludarium.api.routes import DEPENDENCIES, ROUTES
from ludarium.api.value_names import named_sets
from ludarium.clocks.settings import Clock
from ludarium.http import headers
from ludarium.http.auth import need_of
from ludarium.live.stream_outlet import NDJSON, SSE
from ludarium.platform import json_schema, value_sets
from ludarium.platform.json_schema import REF
from ludarium.platform.problems import ProblemDetails
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
MOST_BYTES = 700_000
"""The limit for the document, which every reader loads as a whole."""
LEVELS = 3
"""The depth of an operation, and of a schema, in the document."""
UNIONS = {"TableClock": Clock, "TableEvent": EventBody, "Fact": FactBody}
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
    return in_lines(described(), LEVELS)


def in_lines(part: Any, levels: int) -> bytes:
    """Encode as JSON, with a line for each member of an object down to these levels.

    Differences between versions stay readable, and the document is a third smaller than with indentation.
    """
    if not (levels and isinstance(part, dict)):
        return msgspec.json.encode(part)
    members = [msgspec.json.encode(name) + b":" + in_lines(each, levels - 1) for name, each in part.items()]
    return b"{\n" + b",\n".join(members) + b"\n}"


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
        show_answer(operation)
    paths, schemas = json_schema.for_generators(found["paths"], {}), components(app)
    named = named_sets(schemas)
    names = {values: name for name, values in named.items()}
    responses = [operation["responses"] for operation in all_operations(paths)]
    found["paths"] = paths = shared_parts.without_false(value_sets.replaced(paths, set(), names))
    codes = {code for operation in all_operations(paths) for code in operation[CODES]}
    found["tags"] = [{"name": name, "description": text} for name, text in TAGS.items()]
    found["components"] = {
        "schemas": value_sets.marked(schemas, [*responses, reference(ProblemDetails)], named),
        "responses": problem_responses.responses(codes),
        "parameters": shared_parts.share_parameters(paths),
        "headers": headers.COMPONENTS,
        "examples": problem_responses.examples(codes),
        "securitySchemes": SCHEMES,
    }
    return found


def show_answer(operation: Document) -> None:
    """Add the example of the response, if there is one."""
    name = operation["operationId"]
    for status, response in operation["responses"].items():
        if status < "300" and name in answers() and "application/json" in response.get("content", {}):
            response["content"]["application/json"]["example"] = answers()[name]


@cache
def answers() -> Document:
    """Return the recorded responses, keyed by operation, with the present version.

    `tests/api/example_answers.py` writes them.
    """
    recorded = cast(Document, from_json((files("ludarium.api") / "reference/answers.json").read_bytes()))
    return recorded | {"getRoot": {"version": version("ludarium")} | recorded["getRoot"]}


def all_operations(paths: Document) -> list[Document]:
    return [operation for path in paths.values() for operation in path.values()]


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
    responses = operation["responses"]
    responses.pop("400", None)
    for status, response in responses.items():
        response["headers"] = headers.described(status, opt)
    codes = problem_responses.sorted_codes(problem_responses.problems(operation, opt))
    operation[CODES] = codes
    responses |= problem_responses.references(codes)
    if "form" in opt:
        responses["400"] = with_errors_of_oauth(codes)


def with_errors_of_oauth(codes: Iterable[str]) -> Document:
    """Return the response with status 400 of an operation that also returns the errors of RFC 6749."""
    problem = problem_responses.response("400", problem_responses.by_status(codes)["400"])
    return problem | {"content": {"application/json": {"schema": reference(OAuthError)}} | problem["content"]}
