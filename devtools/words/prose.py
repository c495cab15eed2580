"""How often docs and docstrings use words that mark a sentence translated word for word."""
from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from devtools.words.catalogues import ROOT

MARKERS = (
    "told", "tell", "tells", "whoever", "whatever", "whom", "who", "somebody", "nobody", "everybody", "anew", "beside",
    "behind", "stands", "stand", "kept", "keeps", "comes", "came", "hence", "meanwhile", "thereby", "else", "lest", "ones",
    "by itself", "is asked", "said", "says",
)  # fmt: skip
MARKER = re.compile(rf"\b(?:{'|'.join(MARKERS)})\b")
WORD = re.compile(r"[a-z']+")
CODE = re.compile(r"```.*?```", re.DOTALL)
PASSED_OVER = {"node_modules", "__pycache__", "build", "dist", "games"}
"""Folders that are not ours, or not prose: docs/games/ has game logs."""

LIMITS = {
    "docs": 4.7, "engine": 5.0, "eventstore": 5.0, "pairing": 5.0, "services": 5.0, "clients/python": 6.0, "tests": 8.0,
    "devtools": 5.0, "benchmarks": 10.4, "deploy": 5.0,
}  # fmt: skip
"""Marker words per 1,000 words that a folder may have: 3 in docs, 5 in code, 8 in tests. A folder above that has its present
figure, which is only lowered."""


def rate(folder: Path) -> float:
    """Return the marker words per 1,000 words of a folder's prose."""
    words = hits = 0
    for text in prose(folder):
        low = text.lower()
        words += len(WORD.findall(low))
        hits += len(MARKER.findall(low))
    return hits * 1000 / words if words else 0.0


def prose(folder: Path) -> Iterator[str]:
    """Yield the docstrings of Python files, and the pages of documentation without their code."""
    for path in sorted(folder.rglob("*")):
        parts = path.relative_to(folder).parts
        if PASSED_OVER.intersection(parts) or any(part.startswith(".") for part in parts):
            continue
        if path.suffix == ".py":
            yield from docstrings(path.read_text())
        elif path.suffix == ".md":
            yield CODE.sub("", path.read_text())


def docstrings(source: str) -> Iterator[str]:
    """Yield each string that is a statement: it documents the module, class, function or constant before it."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.value.value


def above(limits: dict[str, float] = LIMITS, root: Path = ROOT) -> Iterator[str]:
    """Yield a line for each folder that uses more marker words than its limit."""
    for folder, limit in limits.items():
        if (found := rate(root / folder)) > limit:
            yield f"{folder}: {found:.1f} marker words per 1,000 (who, told, somebody, kept, …), more than {limit}"
