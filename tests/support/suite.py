"""Run the test suite in several pytest processes at once.

Usage: `python -m tests.support.suite --help`. Each process gets whole modules, because the tests of a module share its
servers. The modules are split by the seconds recorded for each in `tests/durations.json`, so the split is the same on every
machine; `record` updates that file from the reports of the last run. Temporary files are in memory if there is enough of
it, because tests create hundreds of databases, each with hundreds of small files.
"""
from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from subprocess import PIPE, STDOUT, Popen
from threading import Thread
from typing import NamedTuple, TextIO
from xml.etree import ElementTree

import typer

PROJECT = Path(__file__).parents[2]
DURATIONS = PROJECT / "tests/durations.json"
REPORTS = PROJECT / ".reports"
MEMORY = Path("/dev/shm")
ROOM = 4 << 30
"""Free memory in bytes that temporary files need; a run uses about one tenth."""
SLOWEST = 20
PASSED, FAILED, SKIPPED = "passed", "failed", "skipped"

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, help=__doc__)


class Case(NamedTuple):
    """One test of a report, with its seconds including set-up and teardown."""

    seconds: float
    module: str
    name: str
    outcome: str


@app.command()
def run(name: str, folders: list[str], jobs: int = 2, leave_out: str = "", order: str = "") -> None:
    """Run all tests in these folders, and write a report for each process.

    The reports are `.reports/NAME-1.xml` and so on.

    Args:
        name: The prefix of the reports.
        folders: Folders such as `tests`.
        jobs: The number of processes.
        leave_out: A folder whose tests are not run.
        order: `reversed` runs the modules, and the tests in each module, in reverse order.
    """
    modules = [module for module in modules_in(folders) if not (leave_out and module.startswith(f"{leave_out}/"))]
    parts = split(modules, recorded(), jobs)
    REPORTS.mkdir(exist_ok=True)
    for old in REPORTS.glob(f"{name}-[0-9]*.xml"):
        old.unlink()
    began = time.monotonic()
    with temporary_folder() as folder:
        commands = [command(part, REPORTS / f"{name}-{nth}.xml", order) for nth, part in enumerate(parts, 1) if part]
        codes = run_all(commands, os.environ | {"TMPDIR": folder})
    summarise(name)
    print(f"{time.monotonic() - began:.0f} s in all", flush=True)
    raise SystemExit(max(codes, key=abs))


@app.command()
def slowest(names: list[str]) -> None:
    """Print the slowest tests of the last run for each of these names."""
    for name in names:
        summarise(name)


@app.command()
def record() -> None:
    """Write the seconds per module from all reports to `tests/durations.json`."""
    sums: dict[str, float] = defaultdict(float)
    for case in cases("*"):
        sums[case.module] += case.seconds
    known = {module: seconds for module, seconds in recorded().items() if (PROJECT / module).exists()}
    renewed = known | {module: round(seconds, 1) for module, seconds in sums.items()}
    DURATIONS.write_text(json.dumps(dict(sorted(renewed.items())), indent=0) + "\n")


def modules_in(folders: Sequence[str]) -> list[str]:
    """Return the test modules in these folders, relative to the project's root."""
    found = {path for folder in folders for path in (PROJECT / folder).rglob("test_*.py")}
    return sorted(path.relative_to(PROJECT).as_posix() for path in found)


def recorded() -> dict[str, float]:
    seconds: dict[str, float] = json.loads(DURATIONS.read_text()) if DURATIONS.exists() else {}
    return seconds


def split(modules: Sequence[str], seconds: dict[str, float], jobs: int) -> list[list[str]]:
    """Split modules into as many parts as there are jobs, with similar durations.

    Modules are taken longest first, and each goes to the part with the least work so far. A module without a recorded
    duration counts as the median of the others. The modules of a part are sorted by path.
    """
    unknown = median(seconds.values()) if seconds else 1.0
    parts: list[list[str]] = [[] for _ in range(jobs)]
    loads = [0.0] * jobs
    for module in sorted(modules, key=lambda module: (-seconds.get(module, unknown), module)):
        least = loads.index(min(loads))
        parts[least].append(module)
        loads[least] += seconds.get(module, unknown)
    return [sorted(part) for part in parts]


def command(modules: Sequence[str], report: Path, order: str) -> list[str]:
    backwards = ["-p", "tests.support.reverse"] if order == "reversed" else []
    chosen = reversed(modules) if backwards else modules
    return [sys.executable, "-u", "-m", "pytest", *backwards, f"--junit-xml={report}", *chosen]


@contextmanager
def temporary_folder() -> Iterator[str]:
    """Yield a folder for the temporary files of a run, which every account can use.

    The folder is removed at the end.
    """
    where = MEMORY if has_room(MEMORY) else None
    with tempfile.TemporaryDirectory(prefix="lud-", dir=where, ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o1777)
        yield folder


def has_room(memory: Path) -> bool:
    """Check that a run's temporary files fit, and that programs can run there."""
    return memory.is_dir() and shutil.disk_usage(memory).free > ROOM and not os.statvfs(memory).f_flag & os.ST_NOEXEC


def run_all(commands: Sequence[Sequence[str]], environment: Mapping[str, str]) -> list[int]:
    """Run commands at once, number their output by process, return the exit codes."""
    with ExitStack() as stack:      # waits for all of them, also when interrupted
        processes = [stack.enter_context(started(each, environment)) for each in commands]
        readers = [Thread(target=relay, args=(nth, each.stdout)) for nth, each in enumerate(processes, 1)]
        for reader in readers:
            reader.start()
        for reader in readers:
            reader.join()
        return [each.wait() for each in processes]


def started(command: Sequence[str], environment: Mapping[str, str]) -> Popen[str]:
    return Popen(command, cwd=PROJECT, env=environment, stdout=PIPE, stderr=STDOUT, text=True, errors="replace")


def relay(nth: int, output: TextIO) -> None:
    for line in output:
        sys.stdout.write(f"{nth} | {line}")
        sys.stdout.flush()


def summarise(name: str) -> None:
    """Print the slowest tests of all processes, and every test that failed.

    Nothing is printed if there is no report.
    """
    found = sorted(cases(f"{name}-[0-9]*"), reverse=True)
    if not found:
        return
    print(f"\n{name}: {len(found)} tests, {sum(case.seconds for case in found):.0f} s of tests; the slowest:")
    for case in found[:SLOWEST]:
        print(f"{case.seconds:8.1f} s  {case.module}::{case.name}")
    for case in found:
        if case.outcome == FAILED:
            print(f"FAILED  {case.module}::{case.name}")
    count = Counter(case.outcome for case in found)
    print(f"{count[PASSED]} passed, {count[FAILED]} failed, {count[SKIPPED]} skipped")


def cases(pattern: str) -> Iterator[Case]:
    for path in sorted(REPORTS.glob(f"{pattern}.xml")):
        for case in ElementTree.parse(path).iter("testcase"):
            seconds, module = float(case.get("time", 0)), module_of(case.get("classname", ""))
            yield Case(seconds, module, case.get("name", ""), outcome_of({child.tag for child in case}))


def outcome_of(tags: set[str]) -> str:
    """Return the outcome of a test from the element names in its report."""
    if tags & {"failure", "error"}:
        return FAILED
    return SKIPPED if "skipped" in tags else PASSED


def module_of(classname: str) -> str:
    """Return the path of a module from its dotted name in a report.

    The name may end with a class.
    """
    parts = classname.split(".")
    while parts and not (PROJECT / "/".join(parts)).with_suffix(".py").exists():
        parts.pop()
    return "/".join(parts) + ".py" if parts else classname


if __name__ == "__main__":
    app()
