"""The complete Kubernetes overlays, with their workloads, access and metrics."""
from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from ludarium.platform.config import ROLES
from tests.deploy.test_manifests import ROOT, container_of, rendered
from tests.deploy.test_monitoring import OF_OTHERS, known, names_in
from tests.support import node

Resource = dict[str, Any]
OVERLAYS = {name: rendered(f"k8s/{name}") for name in ("single", "prod")}
OF_PODS = "ludarium"
CONNECTIONS = {True: 13, False: 11}
"""The most connections of a process, with projections or without."""
SPARE = 10
"""Connections of the migration, of PostgreSQL itself, and for people."""
both = pytest.mark.parametrize("overlay", OVERLAYS)


def of(overlay: str, kind: str) -> dict[str, Resource]:
    return {each["metadata"]["name"]: each for each in OVERLAYS[overlay] if each["kind"] == kind}


def ours(overlay: str) -> dict[str, Resource]:
    """Return Ludarium's own deployments, without those of Valkey."""
    return {name: each for name, each in of(overlay, "Deployment").items() if "valkey" not in name}


def settings(workload: Resource) -> dict[str, str]:
    return {variable["name"]: variable.get("value", "") for variable in container_of(workload)["env"]}


def roles(workload: Resource) -> set[str]:
    return {*settings(workload).get("LUDARIUM_ROLES", ",".join(ROLES)).split(",")}


def labels(workload: Resource) -> dict[str, str]:
    found: dict[str, str] = workload["spec"]["template"]["metadata"]["labels"]
    return found


@both
def test_each_role_is_somebodys(overlay: str) -> None:
    given = [role for each in ours(overlay).values() for role in roles(each)]
    assert sorted(given) == sorted(ROLES)
    assert len(ours(overlay)) == (3 if overlay == "prod" else 1)


@both
def test_every_pod_is_without_rights(overlay: str) -> None:
    timed = [each["spec"]["jobTemplate"] for each in of(overlay, "CronJob").values()]
    for each in [*of(overlay, "Deployment").values(), *of(overlay, "Job").values(), *timed]:
        pod, container = each["spec"]["template"]["spec"], container_of(each)
        assert pod["securityContext"]["runAsNonRoot"] and pod["automountServiceAccountToken"] is False
        rights = container["securityContext"]
        assert rights["readOnlyRootFilesystem"] and rights["capabilities"] == {"drop": ["ALL"]}
        assert rights["allowPrivilegeEscalation"] is False


@both
def test_the_migration_is_of_its_release_and_alone_has_the_owners_login(overlay: str) -> None:
    (job,) = of(overlay, "Job").values()
    release = container_of(job)["image"].rpartition(":")[2]
    assert job["metadata"]["name"] == f"ludarium-migrate-{release}"
    assert {container_of(each)["image"] for each in ours(overlay).values()} == {container_of(job)["image"]}
    assert "ludarium-owner" in yaml.dump(job)
    assert not [name for name, each in of(overlay, "Deployment").items() if "owner" in yaml.dump(each)]


@both
def test_the_ledger_is_sealed_beside_the_backups_by_the_release_that_serves(overlay: str) -> None:
    pod = of(overlay, "CronJob")["ludarium-ledger"]["spec"]["jobTemplate"]
    (job,) = of(overlay, "Job").values()
    container = container_of(pod)
    assert container["image"] == container_of(job)["image"]
    given = {variable["name"]: variable["valueFrom"]["secretKeyRef"] for variable in container["env"]}
    assert given["LUDARIUM_BACKUP_RECIPIENT"] == {"name": "ludarium-backup", "key": "recipient"}
    assert "LUDARIUM_BACKUP_KEY" not in given
    assert {"authority", "tmp"} == {mount["name"] for mount in container["volumeMounts"]}
    policy = of(overlay, "NetworkPolicy")["ludarium-ledger"]["spec"]["podSelector"]["matchLabels"]
    everybodys = of(overlay, "NetworkPolicy")["ludarium"]["spec"]["podSelector"]["matchLabels"]
    assert policy.items() | everybodys.items() <= labels(pod).items()


@both
def test_the_signing_key_is_optional_and_reaches_servers_and_the_ledger(overlay: str) -> None:
    timed = of(overlay, "CronJob")["ludarium-ledger"]["spec"]["jobTemplate"]
    for each in (timed, *ours(overlay).values()):
        given = {variable["name"]: variable.get("valueFrom", {}).get("secretKeyRef") for variable in container_of(each)["env"]}
        assert given["LUDARIUM_SIGNING_KEY"] == {"name": "ludarium", "key": "signing-key", "optional": True}
        assert given["LUDARIUM_SIGNING_KEYS_BEFORE"] == {"name": "ludarium", "key": "signing-keys-before", "optional": True}


@both
def test_prometheus_is_given_the_alerts_and_postgresql(overlay: str) -> None:
    groups = yaml.safe_load((ROOT / "deploy/prometheus/alerts.yml").read_text())["groups"]
    assert of(overlay, "PrometheusRule")["ludarium"]["spec"]["groups"] == groups
    (found,) = of(overlay, "PodMonitor").values()
    cluster = of(overlay, "Cluster")["ludarium-postgres"]["metadata"]["name"]
    assert found["spec"]["selector"]["matchLabels"] == {"cnpg.io/cluster": cluster}


@both
def test_a_pod_is_ready_when_the_port_that_it_serves_says_so(overlay: str) -> None:
    for each in ours(overlay).values():
        container = container_of(each)
        port = "live" if roles(each) == {"live"} else "http"
        asked = {probe: container[probe]["httpGet"] for probe in ("readinessProbe", "livenessProbe", "startupProbe")}
        assert {get["port"] for get in asked.values()} == {port}
        assert [get["path"] for get in asked.values()] == ["/readyz", "/healthz", "/healthz"]


@both
def test_a_route_leads_to_a_service_and_that_to_pods_that_serve_it(overlay: str) -> None:
    route = of(overlay, "HTTPRoute")["ludarium"]
    backends = {rule["matches"][0]["path"]["value"]: rule["backendRefs"][0] for rule in route["spec"]["rules"]}
    for path, role in (("/live", "live"), ("/", "api")):
        service = of(overlay, "Service")[backends[path]["name"]]["spec"]
        (port,) = [port for port in service["ports"] if port["port"] == backends[path]["port"]]
        (target,) = [each for each in ours(overlay).values() if service["selector"].items() <= labels(each).items()]
        names = {port["name"] for port in container_of(target)["ports"]}
        assert role in roles(target) and port["targetPort"] in names


@both
def test_no_time_of_the_route_ends_a_socket_or_a_stream(overlay: str) -> None:
    for rule in of(overlay, "HTTPRoute")["ludarium"]["spec"]["rules"]:
        assert rule["timeouts"] == {"request": "0s", "backendRequest": "0s"}
    url = {settings(each)["LUDARIUM_WS_URL"] for each in ours(overlay).values()}
    assert url == {"wss://ludarium.example/live"}


@both
def test_a_budget_keeps_pods_of_each_kind(overlay: str) -> None:
    budgets = [each["spec"] for each in of(overlay, "PodDisruptionBudget").values()]
    for each in ours(overlay).values():
        (budget,) = [b for b in budgets if b["selector"]["matchLabels"].items() <= labels(each).items()]
        assert budget["maxUnavailable"] == 1
        for spread in each["spec"]["template"]["spec"]["topologySpreadConstraints"]:
            assert spread["labelSelector"]["matchLabels"].items() <= labels(each).items()


@both
def test_nobody_is_let_in_who_is_not_named(overlay: str) -> None:
    policies = of(overlay, "NetworkPolicy")
    assert policies.keys() == {"ludarium", "ludarium-postgres", "ludarium-valkey", "ludarium-ledger"}
    for policy in policies.values():
        assert all(rule.get("from") for rule in policy["spec"].get("ingress", []))
        assert all(rule.get("to") for rule in policy["spec"].get("egress", []))
    assert policies["ludarium-valkey"]["spec"]["policyTypes"] == ["Ingress", "Egress"]
    selected = policies["ludarium"]["spec"]["podSelector"]["matchLabels"]
    for each in (*ours(overlay).values(), *of(overlay, "Job").values()):
        assert selected.items() <= labels(each).items()


@both
def test_processes_know_the_database_by_its_certificate(overlay: str) -> None:
    for each in (*ours(overlay).values(), *of(overlay, "Job").values()):
        (volume,) = [v for v in each["spec"]["template"]["spec"]["volumes"] if v["name"] == "authority"]
        assert volume["secret"]["secretName"] == "ludarium-postgres-ca"
        assert "/run/secrets/postgres" in {mount["mountPath"] for mount in container_of(each)["volumeMounts"]}
    page = (ROOT / "docs/kubernetes.md").read_text()
    assert "sslmode=verify-full&sslrootcert=/run/secrets/postgres/ca.crt" in page


def test_three_databases_of_which_two_have_each_commit() -> None:
    cluster = of("prod", "Cluster")["ludarium-postgres"]["spec"]
    assert cluster["instances"] == 3 and cluster["affinity"]["podAntiAffinityType"] == "required"
    assert cluster["postgresql"]["synchronous"] == {"method": "any", "number": 1, "dataDurability": "required"}
    assert cluster["postgresql"]["parameters"]["synchronous_commit"] == "on"
    assert of("single", "Cluster")["ludarium-postgres"]["spec"]["instances"] == 1


@both
def test_backups_are_made_each_night_and_sealed(overlay: str) -> None:
    (backup,) = of(overlay, "ScheduledBackup").values()
    cluster = of(overlay, "Cluster")[backup["spec"]["cluster"]["name"]]["spec"]
    assert len(backup["spec"]["schedule"].split()) == 6, "with seconds"
    store = cluster["backup"]["barmanObjectStore"]
    assert {store[part]["encryption"] for part in ("data", "wal")} == {"aws:kms"}


def test_the_database_has_connections_for_all_that_may_run() -> None:
    most = 0
    for scaler in of("prod", "ScaledObject").values():
        target = ours("prod")[scaler["spec"]["scaleTargetRef"]["name"]]
        surge = target["spec"]["strategy"]["rollingUpdate"]["maxSurge"]
        most += (scaler["spec"]["maxReplicaCount"] + surge) * CONNECTIONS["projections" in roles(target)]
    has = int(of("prod", "Cluster")["ludarium-postgres"]["spec"]["postgresql"]["parameters"]["max_connections"])
    assert most + SPARE <= has


def test_what_is_scaled_by_is_counted() -> None:
    scalers = of("prod", "ScaledObject").values()
    assert {scaler["spec"]["scaleTargetRef"]["name"] for scaler in scalers} == ours("prod").keys()
    for scaler in scalers:
        assert 2 <= scaler["spec"]["minReplicaCount"] <= scaler["spec"]["fallback"]["replicas"]
        for trigger in scaler["spec"]["triggers"]:
            query = trigger["metadata"]["query"]
            assert names_in(query) and names_in(query) <= known().keys() | OF_OTHERS
            for pattern in re.findall(r'pod=~"([^"]*)"', query):
                assert re.fullmatch(pattern, f"{scaler['spec']['scaleTargetRef']['name']}-5d4f-abcde")
    assert not [name for name, each in ours("prod").items() if "replicas" in each["spec"]], "the scaler alone says how many"


@both
def test_prometheus_finds_every_process_under_the_name_of_the_alerts(overlay: str) -> None:
    (monitor,) = of(overlay, "ServiceMonitor").values()
    (service,) = [
        each for each in of(overlay, "Service").values()
        if monitor["spec"]["selector"]["matchLabels"].items() <= each["metadata"]["labels"].items()
    ]  # fmt: skip
    assert service["metadata"]["labels"][monitor["spec"]["jobLabel"]] == "ludarium" and service["spec"]["clusterIP"] == "None"
    (port,) = service["spec"]["ports"]
    assert monitor["spec"]["endpoints"][0]["port"] == port["name"]
    for each in ours(overlay).values():
        assert service["spec"]["selector"].items() <= labels(each).items()
        assert port["targetPort"] in {p["name"] for p in container_of(each)["ports"]}


WRONG = """
apiVersion: postgresql.cnpg.io/v1
kind: Cluster
metadata: {{name: house}}
spec: {{instances: {instances}, storage: {{size: 1Gi, {key}}}}}
"""


@pytest.mark.parametrize(("values", "told"), [
    ({"instances": "3", "key": "storageClass: fast"}, ""), ({"instances": "many", "key": ""}, "/spec/instances"),
    ({"instances": "3", "key": "storageKlass: fast"}, "/spec/storage/storageKlass is unknown"),
])  # fmt: skip
def test_a_custom_resource_is_held_against_its_type(tmp_path: Path, values: dict[str, str], told: str) -> None:
    file = tmp_path / "rendered.yaml"
    file.write_text(WRONG.format(**values))
    checked = node.run(ROOT / "deploy/types/check.js", file)
    assert (checked.returncode == 0) == (told == "") and told in checked.stderr and checked.stdout == ""
