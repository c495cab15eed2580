"""What every pod of ours promises, whichever overlay it came from. That the files are valid, `make check` sees."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
KUBECTL = Path(sys.executable).with_name("kubectl")


def rendered(folder: str) -> list[dict[str, Any]]:
    output = subprocess.run([KUBECTL, "kustomize", ROOT / folder], check=True, capture_output=True).stdout
    return list(yaml.safe_load_all(output))


BASE = rendered("k8s/base")
PODS = [(each["kind"], each["spec"]["template"]["spec"]) for each in BASE if "template" in each.get("spec", {})]


def test_the_migration_and_the_service_are_there() -> None:
    assert sorted(kind for kind, _ in PODS) == ["Deployment", "Job"]


@pytest.mark.parametrize(("kind", "pod"), PODS)
def test_a_pod_has_no_more_rights_than_it_needs(kind: str, pod: dict[str, Any]) -> None:
    assert pod["securityContext"]["runAsNonRoot"] and pod["securityContext"]["seccompProfile"]
    assert pod["automountServiceAccountToken"] is False
    for container in pod["containers"]:
        rights = container["securityContext"]
        assert rights["readOnlyRootFilesystem"] and not rights["allowPrivilegeEscalation"]
        assert rights["capabilities"] == {"drop": ["ALL"]}
        assert {"cpu", "memory"} == container["resources"]["requests"].keys()
        assert {"memory"} == container["resources"]["limits"].keys()


@pytest.mark.parametrize(("kind", "pod"), PODS)
def test_the_addresses_of_other_services_are_not_taken_for_settings(kind: str, pod: dict[str, Any]) -> None:
    assert pod["enableServiceLinks"] is False


def test_the_database_decides_about_readiness_and_never_about_life() -> None:
    (container,) = next(pod for kind, pod in PODS if kind == "Deployment")["containers"]
    assert container["readinessProbe"]["httpGet"]["path"] == "/readyz"
    for probe in ("startupProbe", "livenessProbe"):
        assert container[probe]["httpGet"]["path"] == "/healthz"


def test_the_service_and_the_budget_find_the_pods() -> None:
    labels = next(each for each in BASE if each["kind"] == "Deployment")["spec"]["template"]["metadata"]["labels"]
    service = next(each for each in BASE if each["kind"] == "Service")
    budget = next(each for each in BASE if each["kind"] == "PodDisruptionBudget")
    assert service["spec"]["selector"].items() <= labels.items()
    assert budget["spec"]["selector"]["matchLabels"].items() <= labels.items()


def test_the_migration_alone_knows_the_owner_of_the_database() -> None:
    def secrets(pod: dict[str, Any]) -> set[str]:
        given = [variable["valueFrom"] for variable in pod["containers"][0]["env"] if "valueFrom" in variable]
        return {source["secretKeyRef"]["name"] for source in given}

    found = {kind: secrets(pod) for kind, pod in PODS}
    assert found == {"Deployment": {"ludarium"}, "Job": {"ludarium", "ludarium-owner"}}


def test_urls_come_from_a_secret() -> None:
    for _, pod in PODS:
        assert not [v["name"] for v in pod["containers"][0]["env"] if v["name"].endswith("_URL") and "value" in v]
