"""Check the pages in `docs/decisions/`.

Each page must have the form that the README states, and must be listed and linked.
"""

import re
import subprocess
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "docs/decisions"
PAGES = sorted(path.name for path in FOLDER.glob("[0-9]*.md"))
MOST_WORDS = 400
HEADINGS = ["Context", "Decision", "Consequences"]
REFERENCE = re.compile(r"decisions?[ /]([0-9]{3})")
SOURCES = "*.py", "*.sql", "*.ts", "*.tsx", "*.js", "*.md", ".importlinter", "scripts/*", "deploy/*", "Makefile"


@cache
def references() -> dict[str, set[str]]:
    """Return the files that refer to each decision, by the decision's number.

    Decisions and the list of decisions do not count.
    """
    listed = subprocess.run(["git", "ls-files", "-z", "--", *SOURCES], cwd=ROOT, capture_output=True, text=True, check=True)
    found: dict[str, set[str]] = {}
    for name in filter(None, listed.stdout.split("\0")):
        path = ROOT / name
        if path.parent == FOLDER or not path.is_file():
            continue
        for number in REFERENCE.findall(path.read_text(errors="replace")):
            found.setdefault(number, set()).add(name)
    return found


@pytest.mark.parametrize("name", PAGES)
def test_a_decision_has_the_form(name: str) -> None:
    text = (FOLDER / name).read_text()
    title, status = text.splitlines()[0], text.splitlines()[2]
    assert re.fullmatch(rf"# {name[:3]} [A-Z].*[^.]", title), f"the first line is `# {name[:3]} The decision as a sentence`"
    assert re.fullmatch(r"\*\*Status:\*\* .+\. \*\*Date:\*\* [0-9]{4}-[0-9]{2}-[0-9]{2}\.", status), (
        "the third line is `**Status:** accepted. **Date:** 2026-11-28.`"
    )
    assert re.findall(r"^## (.*)$", text, re.MULTILINE) == HEADINGS, f"its headings are {HEADINGS}"
    assert len(text.split()) <= MOST_WORDS


@pytest.mark.parametrize("name", PAGES)
def test_a_decision_is_listed_with_its_title(name: str) -> None:
    title = (FOLDER / name).read_text().splitlines()[0].removeprefix("# ")
    line = f"- [{name[:3]}]({name}){title[3:]}"
    assert line in (FOLDER / "README.md").read_text().splitlines(), f"docs/decisions/README.md lacks `{line}`"


@pytest.mark.parametrize("name", PAGES)
def test_code_or_docs_link_a_decision(name: str) -> None:
    assert references().get(name[:3]), f"nothing refers to `docs/decisions/{name[:3]}`"


def test_each_reference_leads_to_a_decision() -> None:
    assert references().keys() <= {page[:3] for page in PAGES}


def test_numbers_are_used_once() -> None:
    assert len({page[:3] for page in PAGES}) == len(PAGES)


@pytest.mark.parametrize("name", [*PAGES, "README.md"])
def test_links_of_a_decision_lead_to_files(name: str) -> None:
    links = re.findall(r"\]\(([^)#]+)", (FOLDER / name).read_text())
    assert [link for link in links if not (FOLDER / link).is_file()] == []
