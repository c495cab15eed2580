"""The verifiers in the browser, in Python and from the docs agree on any file.

They either accept a file or reject it at the same row.
"""
from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any, Literal, TypeAlias

import msgspec
import pytest

from ludarium.records.reading import InvalidRecord, read_record
from ludarium.records.verify import verify
from tests.records import forged, stranger
from tests.records.test_record import kingdoms, written
from tests.records.vectors import published, read
from tests.support import node
from tests.support.damage import damaged, fuzzed

SCRIPT = Path(__file__).with_name("browser.mjs")
WORDS = "what it says for people is not what it holds"
Verdict: TypeAlias = int | Literal["holds"] | None


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Browser:
    return Browser(tmp_path_factory.mktemp("records"))


class Browser:
    """The browser's verifier, run by Node."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def reports(self, files: Sequence[bytes]) -> list[dict[str, Any]]:
        paths = [self.folder / f"{nth}.json" for nth in range(len(files))]
        for path, data in zip(paths, files, strict=True):
            path.write_bytes(data)
        return [msgspec.json.decode(line) for line in node.output(SCRIPT, *paths).splitlines()]

    def verdicts(self, files: Sequence[bytes]) -> list[Verdict]:
        findings = [report["finding"] for report in self.reports(files)]
        return ["holds" if finding is None else finding["row"] for finding in findings]


def strangers(data: bytes) -> Verdict:
    try:
        stranger.examine(data)
    except stranger.Wrong as wrong:
        row: int | None = wrong.args[0]
        return row
    return "holds"


def ours(data: bytes) -> tuple[Verdict, bool]:
    """Return our verdict, and whether it is about texts, most of which need the title."""
    try:
        finding = verify(read_record(data)).finding
    except InvalidRecord as error:
        named = re.search(r"\$\.rows\[(\d+)]", str(error))
        return (int(named[1]) if named else None), False
    return ("holds", False) if finding is None else (finding.seq, finding.what == WORDS)


def agreed(browser: Browser, files: Sequence[bytes]) -> list[Verdict]:
    """Check that all three verifiers agree on each file, and return the verdicts."""
    verdicts = browser.verdicts(files)
    assert verdicts == [*map(strangers, files)]
    for found, (expected, of_words) in zip(verdicts, map(ours, files), strict=True):
        assert found == expected or (of_words and found == "holds"), (found, expected)
    return verdicts


def test_it_says_of_the_published_records_what_their_index_says(browser: Browser) -> None:
    vectors = published()
    for vector, report in zip(vectors, browser.reports([*map(read, vectors)]), strict=True):
        assert (report["finding"] is None) == vector.holds, vector.file
        assert (report["finding"] or {"row": None})["row"] == vector.seq, vector.file
        assert (report["rows"], report["roots"]) == (vector.rows, vector.rows), vector.file
        assert report["shuffles"] + report["dice"] == vector.draws and report["zones"] == vector.zones, vector.file


def test_all_find_the_same_damage(browser: Browser) -> None:
    luck = Random(24)
    whole, seats = written(kingdoms().play()), written(kingdoms().play(15), 1)
    files = [data for source in (whole, seats) for _, data in damaged(source, luck, 52)]
    verdicts = agreed(browser, files)
    assert len(verdicts) >= 200 and verdicts.count("holds") < len(verdicts) / 5


def test_all_refuse_the_same_files(browser: Browser) -> None:
    files = [*fuzzed(written(kingdoms().play(15), 1), Random(25), 100)]
    assert agreed(browser, files).count(None) > 20


def test_all_find_what_is_forged_under_hashes_that_fit(browser: Browser) -> None:
    source = next(read(vector) for vector in published() if vector.file.startswith("undo"))
    files = [forged.forged(source, way) for way in forged.WAYS]
    assert forged.forged(source, lambda rows: None) == source
    assert "holds" not in agreed(browser, files)


ODD: dict[str, tuple[bytes, bytes]] = {
    "a key that stands twice": (b'"viewer":1', b'"viewer":0,"viewer":1'),
    "a key that is written in another way": (b'"viewer":1', b'"viewer":0,"view\\u0065r":1'),
    "an unknown key": (b'"viewer":1', b'"viewer":1,"more":1'),
    "a number that is no integer": (b'"viewer":1', b'"viewer":1.0'),
    "what is no number": (b'"viewer":1', b'"viewer":NaN'),
    "a number that a double cannot hold": (b'"viewer":1', b'"viewer":18446744073709551617'),
    "base64 that is not canonical": (b'"layouts":["', b'"layouts":[" '),
    "a document too many": (b'"layouts":[', b'"layouts":["",'),
    "a mark of the byte order": (b'{"format"', b'\xef\xbb\xbf{"format"'),
    "bytes that are no UTF-8": (b'"format"', b'"format\xff"'),
    "what is nested 65 deep": (b'"event":{', b'"event":{"deep":' + b"[" * 62 + b"]" * 62 + b","),
}


def test_all_are_strict(browser: Browser) -> None:
    source = written(kingdoms().play(15), 1)
    files = [source.replace(*change, 1) for change in ODD.values()]
    as_deep_as_may_be = files[-1].replace(b"[]", b"", 1)
    assert source not in files
    assert dict(zip(ODD, agreed(browser, files), strict=True)) == dict.fromkeys(ODD)
    assert agreed(browser, [as_deep_as_may_be]) == ["holds"]
