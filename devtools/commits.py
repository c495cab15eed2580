"""Check commit subjects: `area: imperative`, at most 60 characters.

`python -m devtools.commits message FILE` checks one message, for the `commit-msg` hook of Git. `python -m devtools.commits
log` checks the commits that are not in the upstream branch, for `make check-fast`. Commits in the upstream branch cannot be
changed.

The module is not part of `python -m devtools`, which takes seconds to import.
"""
from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated

import typer

MOST = 60
"""The maximum number of characters of a subject."""
NO_BRANCH = 128
"""The exit code of Git outside a repository, and for a branch without an upstream branch."""
SUBJECT = re.compile(r"[a-z0-9-]+(, [a-z0-9-]+)*: (?P<verb>\S+)( .*)?")
NOT_IMPERATIVE = re.compile(r"[a-z]+(ing|ed|[^s]s)")
IMPERATIVE = {
    "bias", "bring", "embed", "exceed", "feed", "focus", "need", "ping", "proceed", "seed", "shed", "speed", "string",
}  # fmt: skip
"""Verbs whose imperative ends like a participle or a third person."""
WRITTEN_BY_GIT = ("Merge ", "fixup! ", "squash! ", "amend! ")

app = typer.Typer(name="python -m devtools.commits", no_args_is_help=True, pretty_exceptions_enable=False)


def faults(subject: str) -> Iterator[str]:
    """Yield each fault of a commit subject, as the end of a sentence.

    A correct subject yields nothing.
    """
    if len(subject) > MOST:
        yield f"has {len(subject)} characters; write at most {MOST}, and the reasons in the body"
    if subject.endswith("."):
        yield "ends with a full stop"
    match = SUBJECT.fullmatch(subject)
    if match is None:
        yield "does not begin with an area, such as `tables: ` or `docs: `"
    elif not is_imperative(match["verb"]):
        yield f'begins with "{match["verb"]}"; write a verb in the imperative, such as "add" or "fix"'


def is_imperative(word: str) -> bool:
    """Return whether a word looks like a verb in the imperative.

    Only its case and its ending are checked.
    """
    return word[0].islower() and (word in IMPERATIVE or NOT_IMPERATIVE.fullmatch(word) is None)


def subject_of(message: str) -> str:
    """Return the first line of a message as Git would store it, without comments."""
    lines = [line.strip() for line in message.splitlines() if not line.startswith("#")]
    return next((line for line in lines if line), "")


@app.command("message")
def check_message(file: Annotated[Path, typer.Argument(help="the file that Git passes to the hook")]) -> None:
    """Check one message. Subjects that Git writes pass, such as `Merge …` and `fixup! …`."""
    subject = subject_of(file.read_text())
    if not subject.startswith(WRITTEN_BY_GIT):
        report([(subject, list(faults(subject)))])


@app.command("log")
def check_log() -> None:
    """Check the commits that upstream does not have, except merges; none where there is no upstream."""
    report((subject, list(faults(subject))) for subject in subjects())


def subjects() -> list[str]:
    """Return the subjects of the commits missing upstream, newest first."""
    command = ["git", "log", "--no-merges", "--format=%s", "@{upstream}..HEAD"]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    if found.returncode == NO_BRANCH:
        return []
    found.check_returncode()
    return found.stdout.splitlines()


def report(found: Iterable[tuple[str, list[str]]]) -> None:
    """Print the faults of each subject, and exit with 1 if there are any."""
    wrong = [(subject, each) for subject, each in found if each]
    for subject, each in wrong:
        print(f"commit: {subject}", *(f"  - it {fault}" for fault in each), sep="\n")
    if wrong:
        print("A subject is `area: imperative`; CONTRIBUTING.md has examples.")
        raise typer.Exit(1)


if __name__ == "__main__":
    app()
