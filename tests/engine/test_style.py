"""`at` is typed as the state but holds slots, so it may only be passed to verbs.

Other uses would pass mypy and fail at run time.
"""
from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import TypeGuard

import pytest

from ludarium_engine import titles

VERBS = {"move", "move_all", "draw", "add", "set", "shuffle", "roll", "reveal"}
ENGINE = Path(titles.__path__[0])
MODULES = sorted(path for folder in ENGINE.glob("*/data.json") for path in folder.parent.rglob("*.py"))


def misused(source: str) -> list[int]:
    """Return the lines in which a slot is not an argument of a verb or a function."""
    tree = ast.parse(source)
    allowed = {id(slot) for call in ast.walk(tree) if isinstance(call, ast.Call) for slot in arguments(call)}
    return [node.lineno for node in ast.walk(tree) if is_slot(node) and id(node) not in allowed]


def arguments(call: ast.Call) -> Iterator[ast.expr]:
    """Yield the slots among the arguments, with or without an index or a condition."""
    if isinstance(call.func, ast.Attribute) and call.func.attr not in VERBS:
        return
    for argument in (*call.args, *(word.value for word in call.keywords)):
        for choice in (argument.body, argument.orelse) if isinstance(argument, ast.IfExp) else (argument,):
            yield choice.value if isinstance(choice, ast.Subscript) else choice


def is_slot(node: ast.AST) -> TypeGuard[ast.Attribute]:
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "at"


@pytest.mark.parametrize("module", MODULES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_slots_are_arguments_of_verbs(module: Path) -> None:
    assert not misused(module.read_text())


def test_what_is_a_misuse() -> None:
    assert misused("at.hand[0].append(c)") == [1]
    assert misused("x = at.trump") == [1] and misused("t.s.hand = at.hand") == [1] and misused("at.trump = 3") == [1]
    assert misused("t.look(at.deck)") == [1] and misused("t.set(at.trump + 1, 2)") == [1]
    assert not misused("t.move(c, at.hand[0], at.pile); put_away(t, at.hand[0] if x else at.pile); t.set(at.trump, 1)")
