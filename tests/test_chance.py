"""Uses of the operating system's randomness, in the product and in tests.

A new use is a decision, so it must be listed here.
"""
from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).parents[1]
SUSPICIOUS = re.compile(r"\bsecrets\b|urandom|uuid[14]|SystemRandom|import random\b|from random import|Random\(\)")
"""Searched in the text of each file; most files need no parsing."""
SEEDED = {"random.Random"}
"""Draws alike in each run if it has a seed."""
SOURCES = ("secrets.", "random.", "os.urandom", "uuid.uuid1", "uuid.uuid4")

PRODUCT = {
    "services/src/ludarium/platform/entropy.py": "the one source of chance",
    "services/src/ludarium/accounts/devices.py": "codes that people type",
    "services/src/ludarium/accounts/grants.py": "holds a refresh token while it is exchanged",
    "services/src/ludarium/accounts/mail.py": "codes in mails",
    "services/src/ludarium/accounts/passkeys.py": "challenges",
    "services/src/ludarium/accounts/secrets.py": "tokens, rejoin codes and what they are derived with",
    "services/src/ludarium/accounts/tokens.py": "begins to look for expired tokens at a random hash",
    "services/src/ludarium/ops/backups/ledger.py": "the names of files, which no two processes may share",
    "services/src/ludarium/bots/leases.py": "the holder of leases, which no two processes may share",
    "services/src/ludarium/platform/request_context.py": "request ids, by which log lines are found",
    "services/src/ludarium/live/presence.py": "the name of a process, which no two may share",
    "services/src/ludarium/tables/invitations.py": "secrets of links",
    "engine/src/ludarium_engine/testkit/commands/arguments.py": "a fresh seed for a command, which prints it",
    "services/src/ludarium/commands/tournament.py": "a fresh seed for a command, which prints it",
    "clients/python/ludarium_client/calls.py": "idempotency keys, from which secrets are derived",
    "clients/python/ludarium_client/patience.py": "a client's own pauses",
}
TESTS = {
    "tests/api/test_foreign_oauth.py": "verifiers of PKCE, which are secrets",
    "tests/support/authenticator.py": "the ids of passkeys, beside their keys",
    "tests/support/blind_client.py": "a fresh seed for a command, which prints it",
    "tests/support/oauth.py": "verifiers of PKCE, which are secrets",
    "tests/prove.py": "a fresh seed for a command, which prints it",
}


def test_the_product_draws_from_the_system_where_it_is_written_down() -> None:
    folders = "engine/src", "eventstore/src", "pairing/src", "services/src", "clients/python/ludarium_client"
    found = {path: names for folder in folders for path, names in draws(folder)}
    assert found.keys() == PRODUCT.keys(), differing(found, PRODUCT)


def test_tests_draw_from_the_system_where_it_is_written_down() -> None:
    found = dict(draws("tests"))
    assert found.keys() == TESTS.keys(), differing(found, TESTS)


def differing(found: Mapping[str, set[str]], known: Mapping[str, str]) -> dict[str, set[str] | None]:
    return {path: found.get(path) for path in sorted(found.keys() ^ known.keys())}


def draws(folder: str) -> Iterator[tuple[str, set[str]]]:
    """Yield the files that draw without a seed, and the names that they use."""
    for path in sorted((ROOT / folder).rglob("*.py")):
        text = path.read_text()
        if SUSPICIOUS.search(text) and (names := {*unseeded(ast.parse(text))}):
            yield str(path.relative_to(ROOT)), names


def unseeded(tree: ast.Module) -> Iterator[str]:
    nodes, known = [*ast.walk(tree)], names_of(tree)
    bare = {id(node.func) for node in nodes if isinstance(node, ast.Call) and not node.args}
    for node in nodes:
        name = qualified(node, known)
        if name.startswith(SOURCES) and (name not in SEEDED or id(node) in bare):
            yield name


def names_of(tree: ast.Module) -> dict[str, str]:
    """Return the full names of all names that a module imports."""
    found = dict[str, str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {name.asname or name.name: name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            found |= {name.asname or name.name: f"{node.module}.{name.name}" for name in node.names}
    return found


def qualified(node: ast.AST, known: Mapping[str, str]) -> str:
    """Return the full name of an attribute or an imported name, or "" for other nodes."""
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in known:
        return f"{known[node.value.id]}.{node.attr}"
    return known.get(node.id, "") if isinstance(node, ast.Name) else ""


def test_what_counts_as_a_draw() -> None:
    source = defaultdict(set)
    for line in (
        "import random; random.random()", "from random import Random; Random()", "from uuid import uuid4; uuid4",
        "import os; f(os.urandom)", "import secrets as s; s.token_hex()", "from random import SystemRandom as R; R()",
    ):
        source[line] = {*unseeded(ast.parse(line))}
    assert all(source.values()), source
    for line in ("from random import Random; Random(1)", "def f(luck): luck.choice([1])", "from uuid import UUID; UUID"):
        assert not {*unseeded(ast.parse(line))}, line
