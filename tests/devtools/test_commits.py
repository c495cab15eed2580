"""Commit subjects are checked when committing, and again before merging."""
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


def git(folder: Path, *words: str) -> None:
    names = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"]
    subprocess.run(["git", *names, *words], cwd=folder, check=True, capture_output=True)


def test_the_commits_that_upstream_lacks_are_checked(tmp_path: Path) -> None:
    upstream, clone = tmp_path / "upstream", tmp_path / "clone"
    git(tmp_path, "init", str(upstream))
    git(upstream, "commit", "--allow-empty", "-m", "A merged commit")
    git(tmp_path, "clone", str(upstream), str(clone))
    git(clone, "commit", "--allow-empty", "-m", "soak: retry late clients")
    assert commits("log", folder=clone).returncode == 0
    git(clone, "commit", "--allow-empty", "-m", "A new commit")
    checked = commits("log", folder=clone)
    assert checked.returncode == 1 and "A new commit" in checked.stdout and "merged" not in checked.stdout


def test_nothing_is_checked_without_an_upstream(tmp_path: Path) -> None:
    assert commits("log", folder=tmp_path).returncode == 0
    git(tmp_path, "init")
    git(tmp_path, "commit", "--allow-empty", "-m", "A new commit")
    assert commits("log", folder=tmp_path).returncode == 0
