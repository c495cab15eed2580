"""Checks Valkey."""

from collections.abc import AsyncIterator
from typing import Any

from redis.asyncio import Redis

from ludarium.ops.doctor.findings import Finding, ok, warning, wrong
from ludarium.ops.readiness import valkey_failure
from ludarium.platform import valkey
from ludarium.platform.config import masked

OLDEST = 8
URL_FORMS = "LUDARIUM_REDIS_URL is redis://, rediss:// or unix://; for a cluster redis+cluster://a:6379,b:6379 or rediss+cluster://…."


async def check_valkey(url: str) -> AsyncIterator[Finding]:
    try:
        client = valkey.client(url)
    except ValueError as error:
        yield wrong("valkey", f"{masked(url)}: {error}", URL_FORMS)
        return
    try:
        if (failure := await valkey_failure(client)) is not None:
            yield unreachable(url, failure)
        elif isinstance(client, Redis):
            yield check_version(await client.info("server"))
            yield check_eviction(await client.info("memory"))
            yield check_replication(await client.info("replication"))
        else:
            yield check_cluster(await client.cluster_info())
    except valkey.AWAY as error:
        yield unreachable(url, error)
    finally:
        await client.aclose()


def unreachable(url: str, error: Exception) -> Finding:
    remedy = "Start it, or say in LUDARIUM_REDIS_URL where it is. Meanwhile moves are told late, and no rate is limited."
    return wrong("valkey", f"{masked(url)}: {error or type(error).__name__}", remedy)


def check_version(server: dict[str, Any]) -> Finding:
    found = str(server.get("valkey_version", server["redis_version"]))
    if int(found.partition(".")[0]) < OLDEST:
        return wrong("valkey", f"version {found}", f"Ludarium needs Valkey {OLDEST} or later.")
    return ok("valkey", f"version {found}")


def check_replication(info: dict[str, Any]) -> Finding:
    if info["role"] != "master":
        return wrong(
            "valkey replication", f"a replica of {info['master_host']}, which takes no writes",
            "Let LUDARIUM_REDIS_URL lead to the primary, also after a fail-over.",
        )  # fmt: skip
    return ok("valkey replication", f"a primary with {info['connected_slaves']} replicas")


def check_eviction(memory: dict[str, Any]) -> Finding:
    name = memory["maxmemory_policy"]
    if memory["maxmemory"] and name == "noeviction":
        return warning(
            "eviction", f"{name}: when its memory is full, rates are not limited and nobody's presence is told",
            "Set maxmemory-policy to volatile-ttl.",
        )  # fmt: skip
    return ok("eviction", f"{name}, {memory['maxmemory'] >> 20 or 'any number of'} MiB")


def check_cluster(info: dict[str, Any]) -> Finding:
    if info["cluster_state"] != "ok":
        return wrong("valkey", f"the cluster is {info['cluster_state']}", "Look with `valkey-cli cluster info`.")
    replicas = int(info["cluster_known_nodes"]) - int(info["cluster_size"])
    detail = f"a cluster of {info['cluster_size']} shards, {replicas} nodes more"
    if failing := int(info["cluster_slots_pfail"]) + int(info["cluster_slots_fail"]):
        return warning("valkey", f"{detail}; nodes of {failing} slots do not answer", "Look with `valkey-cli cluster nodes`.")
    return ok("valkey", detail)
