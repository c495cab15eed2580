"""The disclosures of each title, in disclosures/*.txt, say what facts reveal.

`python -m tests.engine.disclosures` writes the files of the named titles, or of all. Each line names a row of a script, a
fact and an audience, so a diff of these files shows what a change of rules reveals.
"""
from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from ludarium_engine.kernel import Title
from ludarium_engine.registry import titles
from ludarium_engine.testkit.disclosures import disclosures
from ludarium_engine.testkit.fuzz import cases

FOLDER = Path(__file__).parent / "disclosures"
SEEDS = range(4)
AnyTitle = Title[Any, Any]


def path_of(title: AnyTitle) -> Path:
    return FOLDER / f"{title.id}.txt"


def text_of(title: AnyTitle) -> str:
    return "".join(f"{line}\n" for line in disclosures(cases(title), SEEDS))


def write(*ids: str) -> None:
    FOLDER.mkdir(exist_ok=True)
    for name in ids or titles():
        path_of(titles()[name]).write_text(text_of(titles()[name]))


if __name__ == "__main__":
    write(*sys.argv[1:])
