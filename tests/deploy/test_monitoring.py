"""Alerts and dashboards use existing metrics, and each alert has a runbook page."""
from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from ludarium.platform import metrics
from ludarium.platform.problems import KINDS

ROOT = Path(__file__).parents[2]
RULES: list[dict[str, Any]] = [
    rule for group in yaml.safe_load((ROOT / "deploy/prometheus/alerts.yml").read_text())["groups"] for rule in group["rules"]
]
PANELS: list[dict[str, Any]] = json.loads((ROOT / "deploy/grafana/ludarium.json").read_text())["panels"]
EXPRESSIONS = [rule["expr"] for rule in RULES] + [target["expr"] for panel in PANELS for target in panel["targets"]]
Json = dict[str, Any]
SUFFIXES = {"counter": ("_total",), "histogram": ("_bucket", "_sum", "_count"), "gauge": ("",), "info": ("_info",)}
OF_OTHERS = {"up", "cnpg_collector_last_available_backup_timestamp"}
"""Metrics of Prometheus and CloudNativePG."""
PROMTOOL = shutil.which("promtool")
without_promtool = pytest.mark.skipif(PROMTOOL is None, reason="there is no promtool here: sudo apt-get install prometheus")
LABELS_OF_PROMETHEUS = {"job", "instance", "le"}
LABELS_OF_OTHERS = {"persistentvolumeclaim", "fstype"}
"""Labels of Kubernetes' volumes and of the machine's disks."""
OF_THE_DATABASE = {"ludarium_service", "ludarium_login", "ludarium_backup"}


def known() -> dict[str, set[str]]:
    """Return the labels of each series that a process may have, by the series' name."""
    return {
        family.name + suffix: {label for sample in family.samples for label in sample.labels}
        for family in metrics.registry.collect()
        for suffix in SUFFIXES.get(family.type, ("",))
    }


def names_in(expression: str) -> set[str]:
    return {*re.findall(r"\b(?:(?:ludarium|process|python|cnpg)_[a-z_:]+|up\b)", bare(expression))}


def bare(expression: str) -> str:
    """Return a PromQL expression without its quoted text."""
    return re.sub(r'"[^"]*"', "", expression)


def labels_in(expression: str) -> set[str]:
    listed = re.findall(r"\bby \(([^)]*)\)", expression)
    matched = re.findall(r"(\w+)\s*(?:=~|!~|!=|=)(?!=)", " ".join(re.findall(r"\{([^}]*)\}", bare(expression))))
    return {name.strip() for names in listed for name in names.split(",")} | {*matched}


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_an_expression_asks_for_what_there_is(expression: str) -> None:
    asked = names_in(expression)
    assert asked and asked <= known().keys() | OF_OTHERS
    of_ours = {label for metric in vars(metrics).values() for label in getattr(metric, "_labelnames", ())}
    assert labels_in(expression) <= LABELS_OF_PROMETHEUS | LABELS_OF_OTHERS | of_ours


def test_an_outcome_that_is_asked_for_exists() -> None:
    matched = re.findall(r'outcome=~?"([^"]*)"', " ".join(EXPRESSIONS))
    outcomes = {name for found in matched for name in found.split("|")}
    assert outcomes and outcomes <= KINDS.keys() | {metrics.outcome_of_status(500)}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule["alert"])
def test_an_alert_has_a_page_that_says_what_to_do(rule: dict[str, Any]) -> None:
    page = (ROOT / rule["annotations"]["runbook"]).read_text()
    assert rule["alert"] in page
    assert all(f"## {part}" in page for part in ("What it means", "How to see it", "What to do"))


def test_no_page_is_of_an_alert_that_is_gone() -> None:
    pages = {f"docs/operations/{page.name}" for page in (ROOT / "docs/operations").glob("*.md")}
    of_none = {"docs/operations/README.md", "docs/operations/figures.md"}
    assert pages - of_none == {rule["annotations"]["runbook"] for rule in RULES}


DISKS = {"none": ("0", "0"), "roomy": ("5e10", "1e11"), "large and nearly full": ("5e9", "1e11"), "small": ("1e9", "4e9")}


@without_promtool
def test_a_disk_that_is_none_is_not_full(tmp_path: Path) -> None:
    """A process whose PostgreSQL is elsewhere reports such a disk."""
    series = [
        {"series": f'ludarium_disk_{what}_bytes{{instance="{disk}"}}', "values": f"{sizes[nth]}x20"}
        for disk, sizes in DISKS.items() for nth, what in enumerate(("free", "size"))
    ]  # fmt: skip
    firing = [
        {"exp_labels": {"severity": "critical", "instance": disk}, "exp_annotations": told_of(disk, DISKS[disk][0])}
        for disk in ("large and nearly full", "small")
    ]
    fires(tmp_path, "LudariumDiskNearlyFull", series, firing)


@without_promtool
def test_a_disk_of_the_machine_or_of_a_volume_is_named(tmp_path: Path) -> None:
    """Other disks are not named."""
    series = []
    for free, size, labels in (
        ("node_filesystem_avail_bytes", "node_filesystem_size_bytes", 'job="node", mountpoint="{}", fstype="{}"'),
        ("kubelet_volume_stats_available_bytes", "kubelet_volume_stats_capacity_bytes", 'persistentvolumeclaim="{}"'),
    ):
        for name, kind in (("/", "ext4"), ("/tmp", "tmpfs"), ("ludarium-postgres-1", ""), ("another", "")):
            if name.startswith("/") == free.startswith("node"):
                series += [{"series": f'{metric}{{instance="host", {labels.format(name, kind)}}}', "values": f"{much}x20"}
                           for metric, much in ((free, "5e9"), (size, "1e11"))]  # fmt: skip
    told = {"runbook": "docs/operations/disk-nearly-full.md"}
    firing = [
        {"exp_labels": {"severity": "critical", "instance": "host", **labels},
         "exp_annotations": told | {"summary": f"4.657GiB are left on {where} of host"}}
        for where, labels in (
            ("/", {"job": "node", "mountpoint": "/", "fstype": "ext4"}),
            ("ludarium-postgres-1", {"persistentvolumeclaim": "ludarium-postgres-1"}),
        )
    ]  # fmt: skip
    fires(tmp_path, "LudariumDiskNearlyFull", series, firing)


NEVER = 'ludarium_backup_timestamp_seconds{instance="a", kind="base"}'
DAYS = 86400


@without_promtool
@pytest.mark.parametrize(
    ("series", "kinds"),
    [
        ({NEVER: 0}, {"base": 3 * DAYS}),
        ({NEVER: 0, 'cnpg_collector_last_available_backup_timestamp{instance="b"}': 2.5 * DAYS}, {}),
        ({NEVER: 0, 'cnpg_collector_last_available_backup_timestamp{instance="b"}': DAYS}, {"base": 2 * DAYS}),
        ({NEVER: 2.5 * DAYS, NEVER.replace("base", "ledger"): DAYS}, {"ledger": 2 * DAYS}),
        ({NEVER: 2.5 * DAYS, NEVER.replace("base", "log"): DAYS}, {"log": 2 * DAYS}),
        ({NEVER: 2.5 * DAYS, NEVER.replace("base", "check"): DAYS}, {"check": 2 * DAYS}),
        ({NEVER: 2.5 * DAYS} | {NEVER.replace("base", kind): 0 for kind in ("ledger", "log", "check")}, {}),
    ],
    ids=["none", "another's", "another's, old", "ledger", "log", "check", "base alone"],
)  # fmt: skip
def test_whoevers_backup_is_old_is_told(tmp_path: Path, series: dict[str, float], kinds: dict[str, int]) -> None:
    """The alert is evaluated three days after the epoch."""
    firing = [
        {"exp_labels": {"severity": "critical", "kind": kind}, "exp_annotations": {
            "summary": f"The last backup ({kind}) is {age // DAYS}d 0h 0m 0s old", "runbook": "docs/operations/backup-old.md"}}
        for kind, age in kinds.items()
    ]  # fmt: skip
    given = [{"series": name, "values": f"{at}x1100"} for name, at in series.items()]
    fires(tmp_path, "LudariumBackupOld", given, firing, at="3d", every="4m")


@without_promtool
@pytest.mark.parametrize(("written", "fires_then"), [(0, False), (DAYS - 240, False), (DAYS - 420, True)],
                         ids=["never", "fresh", "old"])  # fmt: skip
def test_a_mark_that_is_older_than_five_minutes_fires(tmp_path: Path, written: int, fires_then: bool) -> None:
    """The alert is evaluated a day after the epoch.

    Without a follower there is no mark.
    """
    series = {"series": NEVER.replace("base", "mark"), "values": f"{written}x1500"}
    firing = {"exp_labels": {"severity": "critical"}, "exp_annotations": {
        "summary": "The backup lacks the last 7m 0s of the log", "runbook": "docs/operations/backup-damaged.md"}}  # fmt: skip
    fires(tmp_path, "LudariumBackupMarkOld", [series], [firing] if fires_then else [], at="1d")


@without_promtool
@pytest.mark.parametrize("faults", [0, 2])
def test_a_damaged_place_fires(tmp_path: Path, faults: int) -> None:
    series = {"series": 'ludarium_backup_faults{instance="a"}', "values": f"{faults}x20"}
    firing = {"exp_labels": {"severity": "critical"}, "exp_annotations": {
        "summary": "A backup place has 2 faults: files are missing or changed, or its mark was set back",
        "runbook": "docs/operations/backup-damaged.md"}}  # fmt: skip
    fires(tmp_path, "LudariumBackupDamaged", [series], [firing] if faults else [])


@without_promtool
def test_the_process_that_answers_with_faults_is_named(tmp_path: Path) -> None:
    """Any counter names the process, even at its first fault, and no other process."""
    counted = {
        "commands": 'ludarium_commands_total{instance="commands", outcome="rules-limit"}',
        "live": 'ludarium_live_requests_total{instance="live", outcome="internal"}',
        "refused": 'ludarium_append_refused_total{instance="refused"}',
        "work": 'ludarium_work_failed_total{instance="work"}',
        "well": 'ludarium_commands_total{instance="well", outcome="ok"}',
    }
    series = [{"series": each, "values": "0x6 1x14"} for each in counted.values()]
    series.append({"series": 'ludarium_http_requests_total{instance="first", outcome="fault"}', "values": "_x6 1x14"})
    firing = [
        {"exp_labels": {"severity": "warning", "instance": one}, "exp_annotations": {
            "summary": f"{one} has answered with a fault of its own", "runbook": "docs/operations/faults.md"}}
        for one in ("commands", "first", "live", "refused", "work")
    ]  # fmt: skip
    fires(tmp_path, "LudariumFaults", series, firing, at="8m")


COMMANDS = 'ludarium_commands_total{instance="a", outcome="%s"}'
UNFINISHED = 'ludarium_unfinished_seconds{instance="%s", work="%s"}'


@without_promtool
@pytest.mark.parametrize(
    ("ok", "unavailable", "share"),
    [("0+20x8", "0x8", None), ("0+19x8", "0+1x8", None), ("0+9x8", "0+3x8", "25%"), ("5x8", "0 0 0 2 4 6 8 10 12", "100%")],
    ids=["well", "one a scrape", "some", "all"],
)
def test_commands_that_are_unavailable_are_named_within_a_minute(
    tmp_path: Path, ok: str, unavailable: str, share: str | None
) -> None:
    """In the last case, the stop begins at 45 s and is reported 45 s later."""
    firing = [{"exp_labels": {"severity": "critical"}, "exp_annotations": {
        "summary": f"{share} of what players send is answered with `unavailable`",
        "runbook": "docs/operations/commands-unavailable.md"}}]  # fmt: skip
    series = [{"series": COMMANDS % "ok", "values": ok}, {"series": COMMANDS % "unavailable", "values": unavailable}]
    fires(tmp_path, "LudariumCommandsUnavailable", series, firing if share else [], at="90s", every="15s")


@without_promtool
def test_requests_that_are_unavailable_are_named_and_probes_do_not_count(tmp_path: Path) -> None:
    requests = 'ludarium_http_requests_total{route="%s", outcome="%s"}'
    told = {"summary": "50% of what players send is answered with `unavailable`",
            "runbook": "docs/operations/commands-unavailable.md"}  # fmt: skip
    series = [{"series": requests % ("/guests", outcome), "values": "0+3x8"} for outcome in ("ok", "unavailable")]
    series.append({"series": requests % ("/readyz", "unavailable"), "values": "0+9x8"})
    firing = [{"exp_labels": {"severity": "critical"}, "exp_annotations": told}]
    fires(tmp_path, "LudariumCommandsUnavailable", series, firing, at="90s", every="15s")
    fires(tmp_path, "LudariumCommandsUnavailable", series[2:], [], at="90s", every="15s")


@without_promtool
def test_work_that_does_not_end_is_named(tmp_path: Path) -> None:
    """A projection stalls only if no process continues it."""
    series = [
        {"series": UNFINISHED % ("a", "append"), "values": "0 3 0 12 27 42 57 72 87"},
        {"series": UNFINISHED % ("b", "append"), "values": "0 3 0 9 0 9 0 9 0"},
        {"series": UNFINISHED % ("a", "pool-lists"), "values": "0 3 0 12 27 42 57 72 87"},
        {"series": UNFINISHED % ("a", "projection"), "values": "0 15 30 45 60 75 90 105 120"},
        {"series": UNFINISHED % ("b", "projection"), "values": "0x8"},
        {"series": UNFINISHED % ("a", "deadline"), "values": "0 15 30 45 60 75 90 105 120"},
    ]
    firing = [
        {"exp_labels": {"severity": "critical", "instance": "a", "work": work}, "exp_annotations": {
            "summary": f"Work of kind {work} has not succeeded for {age}", "runbook": "docs/operations/stalled.md"}}
        for work, age in (("append", "27s"), ("pool-lists", "27s"), ("deadline", "1m 0s"))
    ]  # fmt: skip
    fires(tmp_path, "LudariumStalled", series, firing, at="60s", every="15s")


def fires(
    folder: Path, alert: str, series: list[Json], firing: list[Json], at: str = "10m", every: str = "1m"
) -> None:
    """Check with promtool that exactly these alerts fire.

    Args:
        alert: The alert whose rules are evaluated.
        at: The time of the evaluation.
        every: The time between samples and evaluations. A sample is valid for less than five minutes.
    """
    tests = [{"interval": every, "input_series": series, "alert_rule_test": [
        {"eval_time": at, "alertname": alert, "exp_alerts": firing}
    ]}]  # fmt: skip
    file, rules = folder / "tests.yml", folder / "rules.yml"
    named = [rule for rule in RULES if rule["alert"] == alert]         # promtool would evaluate all others for days, too
    rules.write_text(yaml.safe_dump({"groups": [{"name": "ludarium", "rules": named}]}))
    file.write_text(yaml.safe_dump({"rule_files": [str(rules)], "evaluation_interval": every, "tests": tests}))
    told = subprocess.run([str(PROMTOOL), "test", "rules", file], capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stdout + told.stderr


def told_of(disk: str, free: str) -> dict[str, str]:
    room = {"5e9": "4.657Gi", "1e9": "953.7Mi"}[free]
    return {"summary": f"{room}B are left on the disk of {disk}", "runbook": "docs/operations/disk-nearly-full.md"}


def test_a_metric_that_a_page_names_exists() -> None:
    pages = [*(ROOT / "docs/operations").glob("*.md"), ROOT / "docs/operators.md"]
    named = {name for page in pages for name in re.findall(r"ludarium_[a-z_]+", page.read_text())} - OF_THE_DATABASE
    families = {family.name for family in metrics.registry.collect()}
    packages = {"ludarium_engine", "ludarium_eventstore", "ludarium_pairing"}
    assert named - packages - known().keys() - families == set()
