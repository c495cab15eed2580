"""`deploy/context.py` finds sources that the ignore file filters out."""

import subprocess
import sys
from pathlib import Path

import pytest

CONTEXT = Path(__file__).parents[2] / "deploy" / "context.py"
IGNORE = """
# all but
*
!clients/web
!engine
!README.md
**/__pycache__
engine/**/*.tmp
"""
FILES = ["README.md", "clients/python/a.py", "clients/web/a.ts", "engine/a.py", "engine/b/a.py", "locks/core.txt"]


def checked(folder: Path, dockerfile: str, files: list[str]) -> subprocess.CompletedProcess[str]:
    (folder / "Dockerfile").write_text(dockerfile)
    (folder / "Dockerfile.dockerignore").write_text(IGNORE)
    line = [sys.executable, str(CONTEXT), str(folder / "Dockerfile")]
    return subprocess.run(line, input="\n".join(files), capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("instruction", "path"),
    [
        ("COPY clients/python clients/python", "clients/python/a.py"),
        ("COPY clients ./", "clients/python/a.py"),
        ("COPY --chown=1:1 README.md \\\n    locks/core.txt ./", "locks/core.txt"),
        ("COPY locks/*.txt ./", "locks/core.txt"),
        ("ADD ./locks/ locks", "locks/core.txt"),
        ("COPY gone ./", "gone"),
    ],
)
def test_a_source_that_is_filtered_out_of_any_stage_is_named(tmp_path: Path, instruction: str, path: str) -> None:
    found = checked(tmp_path, f"FROM a AS b\n{instruction}\nFROM c\nCOPY engine engine\n", FILES)
    assert found.returncode == 1 and path in found.stderr


@pytest.mark.parametrize("file", ["engine/__pycache__/a.py", "engine/a.tmp", "engine/b/c/a.tmp"])
def test_a_file_below_a_source_that_is_kept_is_named_if_it_is_not(tmp_path: Path, file: str) -> None:
    found = checked(tmp_path, "COPY engine engine\n", [*FILES, file])
    assert found.returncode == 1 and found.stderr.count(" is to be copied") == 1 and file in found.stderr


def test_what_survives_and_what_comes_from_another_stage_is_no_fault(tmp_path: Path) -> None:
    dockerfile = "FROM a AS b\nCOPY README.md engine ./\nCOPY clients/web/ ./\nCOPY . .\nFROM c\nCOPY --from=b /gone /gone\n"
    found = checked(tmp_path, dockerfile, FILES)
    assert (found.returncode, found.stderr) == (0, "")
