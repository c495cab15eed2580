"""Promises that all pods keep, in any overlay.

`make check` checks that the files are valid.
"""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from ludarium.platform.client_address import Proxies
from ludarium.platform.config import ROLES

ROOT = Path(__file__).parents[2]
FOLDERS = ["k8s/base", "k8s/example"]
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


def only(folder: str, kind: str) -> dict[str, Any]:
    (found,) = [each for each in rendered(folder) if each["kind"] == kind]
    return found


def container_of(workload: dict[str, Any]) -> dict[str, Any]:
    container: dict[str, Any] = workload["spec"]["template"]["spec"]["containers"][0]
    return container


def test_the_migration_of_each_release_is_a_job_of_its_own() -> None:
    """A Job is immutable, and that of the previous release exists for a day."""
    jobs = [only(folder, "Job") for folder in FOLDERS]
    releases = [container_of(job)["image"].rpartition(":")[2] for job in jobs]
    assert len(set(releases)) == len(FOLDERS), "the overlay sets another"
    assert [job["metadata"]["name"] for job in jobs] == [f"ludarium-migrate-{release}" for release in releases]


@pytest.mark.parametrize("folder", FOLDERS)
def test_pods_trust_the_network_that_an_ingress_is_in(folder: str) -> None:
    given = {variable["name"]: variable.get("value") for variable in container_of(only(folder, "Deployment"))["env"]}
    assert "10.42.0.7" in Proxies(given["LUDARIUM_TRUSTED_PROXIES"])


COMPOSE = yaml.safe_load((ROOT / "deploy/compose.yaml").read_text())
OURS = {name: each for name, each in COMPOSE["services"].items() if each["image"] == "ludarium"}


def test_compose_trusts_the_network_that_it_makes() -> None:
    (network,) = COMPOSE["networks"]["inside"]["ipam"]["config"]
    assert OURS["api"]["environment"]["LUDARIUM_TRUSTED_PROXIES"] == network["subnet"]


def test_compose_has_one_public_port_and_all_roles() -> None:
    """Other published ports are local to the machine."""
    published = {name: each["ports"] for name, each in COMPOSE["services"].items() if "ports" in each}
    assert published.keys() == {"caddy", "grafana"} and all(port.startswith("127.0.0.1:") for port in published["grafana"])
    roles = {name: each["environment"].get("LUDARIUM_ROLES") for name, each in OURS.items()}
    assert set(",".join(filter(None, roles.values())).split(",")) == set(ROLES)
    assert OURS["api"]["deploy"]["replicas"] == 2
    gateways = [f"{name}:8001" for name, each in OURS.items() if each["environment"].get("LUDARIUM_ROLES") == "live"]
    assert len(gateways) == 2 and COMPOSE["services"]["caddy"]["environment"]["LUDARIUM_LIVE"] == " ".join(gateways)


def test_the_processes_of_compose_have_no_rights_and_verify_the_database() -> None:
    for name, each in OURS.items():
        assert each["read_only"] and each["cap_drop"] == ["ALL"], name
        urls = [value for key, value in each["environment"].items() if key.startswith("LUDARIUM_DATABASE")]
        assert urls and all("sslmode=verify-full&sslrootcert=" in url for url in urls)
    owners = [name for name, each in OURS.items() if "LUDARIUM_DATABASE_OWNER_URL" in each["environment"]]
    assert owners == ["migrate", "ledger", "archive"]
    assert not [name for name in owners if OURS[name].get("ports") or "LUDARIUM_ROLES" in OURS[name]["environment"]]


def test_valkeys_password_travels_within_tls_in_compose() -> None:
    valkey = COMPOSE["services"]["valkey"]
    words = valkey["command"].split()
    options = dict(zip(words[1::2], words[2::2], strict=True))
    assert (options["--port"], options["--tls-port"], options["--tls-auth-clients"]) == ("0", "6379", "no")
    files = {options[f"--tls-{name}"] for name in ("cert-file", "key-file", "ca-cert-file")}
    assert files == {f"/run/secrets/{name}" for name in valkey["secrets"]} and len(files) == 3
    assert {*valkey["secrets"]} <= COMPOSE["secrets"].keys()
    for name, each in OURS.items():
        url = each["environment"]["LUDARIUM_REDIS_URL"]
        assert url.startswith("rediss://") and url.endswith("@valkey?ssl_ca_certs=/run/secrets/authority"), name
        assert "authority" in each["secrets"], name
    assert {"--tls", "--cacert"} <= {*valkey["healthcheck"]["test"]}


def test_prometheus_finds_what_compose_starts() -> None:
    job, disks = yaml.safe_load((ROOT / "deploy/prometheus/prometheus.yml").read_text())["scrape_configs"]
    (found,) = job["dns_sd_configs"]
    assert {*found["names"]} == {name for name, each in OURS.items() if "command" not in each} and job["job_name"] == "ludarium"
    assert {*disks["dns_sd_configs"][0]["names"]} <= COMPOSE["services"].keys() and disks["job_name"] == "node"
    assert str(found["port"]) == OURS["api"]["environment"]["LUDARIUM_METRICS_PORT"]


def test_compose_seals_backups_for_a_key_that_it_does_not_have() -> None:
    text = (ROOT / "deploy/compose.yaml").read_text()
    assert "LUDARIUM_BACKUP_KEY" not in text
    sealing = [name for name, each in COMPOSE["services"].items() if "LUDARIUM_BACKUP_RECIPIENT" in each.get("environment", {})]
    assert {"backup", "ledger"} <= {*sealing}


def test_urls_come_from_a_secret() -> None:
    for _, pod in PODS:
        assert not [v["name"] for v in pod["containers"][0]["env"] if v["name"].endswith("_URL") and "value" in v]


def namespace(name: str) -> dict[str, Any]:
    return {"namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": name}}}


@pytest.mark.parametrize("folder", [*FOLDERS, "k8s/single", "k8s/prod"])
def test_only_the_ingress_reaches_pods_that_trust_its_addresses(folder: str) -> None:
    """Pods trust the pod network, so any other pod could forge client addresses."""
    trusting = [each for each in rendered(folder) if "LUDARIUM_TRUSTED_PROXIES" in yaml.dump(each)]
    (policy,) = [p for p in policies(folder) if p["metadata"]["name"] == "ludarium"]
    assert trusting
    for each in trusting:
        selected = policy["spec"]["podSelector"]["matchLabels"]
        assert selected.items() <= each["spec"]["template"]["metadata"]["labels"].items()
    for port in (8000, 8001):
        rules = [rule for rule in policy["spec"]["ingress"] if {"port": port} in rule["ports"]]
        assert [rule["from"] for rule in rules] == [[namespace("gateway")]]


@pytest.mark.parametrize("folder", ["k8s/example"])
def test_the_component_outside_lets_mail_traces_and_buckets_out(folder: str) -> None:
    rules = [rule for policy in policies(folder) for rule in policy["spec"].get("egress", [])]
    to = {port["port"]: rule.get("to") for rule in rules for port in rule["ports"]}
    for public in (465, 587, 443):
        (block,) = to[public]
        assert block["ipBlock"]["cidr"] == "0.0.0.0/0" and {"10.0.0.0/8", "169.254.0.0/16"} <= {*block["ipBlock"]["except"]}
    assert to[4318] == [namespace("monitoring")]


def policies(folder: str) -> list[dict[str, Any]]:
    return [each for each in rendered(folder) if each["kind"] == "NetworkPolicy"]


@pytest.mark.parametrize("folder", FOLDERS)
def test_nothing_leads_to_the_metrics_but_from_where_prometheus_is(folder: str) -> None:
    """Metrics reveal activity, although no names."""
    ports = {port["name"]: port["containerPort"] for port in container_of(only(folder, "Deployment"))["ports"]}
    assert "metrics" not in {port["targetPort"] for port in only(folder, "Service")["spec"]["ports"]}
    (rules,) = [each["spec"]["ingress"] for each in policies(folder) if each["metadata"]["name"] == "ludarium"]
    assert [rule["from"] for rule in rules if {"port": ports["metrics"]} in rule["ports"]] == [[namespace("monitoring")]]
    assert not [port for each in OURS.values() for port in each.get("ports", ()) if str(ports["metrics"]) in port]


SIGNING = {"LUDARIUM_SIGNING_KEY", "LUDARIUM_SIGNING_KEYS_BEFORE"}


@pytest.mark.parametrize("service", ["api", "live", "live-2", "worker", "ledger"])
def test_compose_gives_the_signing_key_to_processes_that_sign_or_check(service: str) -> None:
    given = COMPOSE["services"][service]["environment"]
    assert {name: given.get(name) for name in SIGNING} == {name: f"${{{name}:-}}" for name in SIGNING}
