"""Faults that Redocly and Spectral find in the documents, and unions in Swift."""

import re
from pathlib import Path

import msgspec

from tests.foreign.tools import DOCUMENT, GENERATED, HERE, SOCKET, run


class Faulty(Exception):
    """An error for a document that other tools cannot use as intended."""


def look() -> None:
    """Check the documents with Redocly and Spectral.

    Raises:
        Faulty: Redocly found faults.
        Failed: Spectral found faults, which the message contains.
    """
    totals = msgspec.json.decode(run("redocly", "lint", DOCUMENT, "--format=json"))["totals"]
    if totals["errors"] or totals["warnings"]:
        raise Faulty(f"Redocly: {totals}")
    for document in (DOCUMENT, SOCKET):
        run("spectral", "lint", "--ruleset", HERE / "spectral.yaml", "--fail-severity=warn", document)


def swift() -> dict[str, int]:
    """Return the number of cases of each union's Swift enum, one for each type.

    Raises:
        Faulty: A case is missing.
    """
    made = GENERATED / "swift"
    run("openapi-generator-cli", "generate", "-i", DOCUMENT, "-g", "swift6", "-o", made)
    return {union: cases(next(made.rglob(f"{union}.swift")), members(union)) for union in ("TableEvent", "Fact")}


def members(union: str) -> dict[str, str]:
    """Return the schema of each type in a union, by the type's name."""
    schema = msgspec.json.decode(DOCUMENT.read_bytes())["components"]["schemas"][union]
    return {name: ref.rpartition("/")[2] for name, ref in schema["discriminator"]["mapping"].items()}


def cases(enum: Path, wanted: dict[str, str]) -> int:
    text = enum.read_text()
    told = dict(re.findall(r'case "(\w+)":\s+self = \.\w+\(try (\w+)\(from: decoder\)\)', text))
    if told != wanted or set(re.findall(r"case \w+\((\w+)\)\n", text)) != set(wanted.values()):
        raise Faulty(f"{enum.name} tells {told}")
    return len(told)
