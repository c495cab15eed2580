"""Commit subjects are checked when a commit is made, and again for the whole log."""
from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from devtools.commits import faults, subject_of

PROJECT = Path(__file__).parents[2]


def commits(*words: str, folder: Path = PROJECT) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONPATH": str(PROJECT)}
    command = [sys.executable, "-m", "devtools.commits", *words]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("subject", [
    "soak: retry late clients",
    "tables, live: name the head of a stream",
    "docs: address what a reader must do first",
    "web: embed fonts",
    "k8s: pass the password by a secret",
])  # fmt: skip
def test_an_area_and_an_imperative_are_accepted(subject: str) -> None:
    assert not list(faults(subject))


@pytest.mark.parametrize(("subject", "fault"), [
    ("retry late clients", "area"),
    ("Soak: retry late clients", "area"),
    ("soak:retry late clients", "area"),
    ("", "area"),
    ("soak: Retry late clients", "imperative"),
    ("soak: retried late clients", "imperative"),
    ("soak: retries late clients", "imperative"),
    ("soak: retrying late clients", "imperative"),
    ("soak: retry late clients.", "full stop"),
    ("soak: retry " + "very " * 9 + "late", "61 characters"),
])  # fmt: skip
def test_other_subjects_are_refused_with_a_reason(subject: str, fault: str) -> None:
    (found,) = faults(subject)
    assert fault in found


def test_the_subject_is_the_first_line_that_is_no_comment() -> None:
    assert subject_of("# a comment\n\nsoak: retry late clients\n\nwhy\n") == "soak: retry late clients"


@pytest.mark.parametrize(("message", "code"), [
    ("soak: retry late clients\n\nwhy\n", 0),
    ("Merge branch 'soak'\n", 0),
    ("fixup! soak: retry late clients\n", 0),
    ("Retry late clients\n", 1),
])  # fmt: skip
def test_the_hook_checks_the_message_in_a_file(tmp_path: Path, message: str, code: int) -> None:
    (tmp_path / "message").write_text(message)
    checked = commits("message", str(tmp_path / "message"))
    assert (checked.returncode, "area" in checked.stdout) == (code, code == 1), checked.stderr


def test_the_log_is_checked_from_a_moment_on(tmp_path: Path) -> None:
    def git(*words: str, at: str = "2026-01-01T00:00:00Z") -> None:
        dates = {"GIT_AUTHOR_DATE": at, "GIT_COMMITTER_DATE": at}
        names = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"]
        subprocess.run(["git", *names, *words], cwd=tmp_path, env=os.environ | dates, check=True, capture_output=True)

    git("init")
    git("commit", "--allow-empty", "-m", "An old commit")
    git("commit", "--allow-empty", "-m", "soak: retry late clients", at="2026-01-02T00:00:00Z")
    assert commits("log", "--since", "2026-01-01T12:00:00Z", folder=tmp_path).returncode == 0
    git("commit", "--allow-empty", "-m", "A new commit", at="2026-01-03T00:00:00Z")
    checked = commits("log", "--since", "2026-01-01T12:00:00Z", folder=tmp_path)
    assert checked.returncode == 1 and "A new commit" in checked.stdout and "An old commit" not in checked.stdout
