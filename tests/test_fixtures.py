"""The fixtures themselves."""

import asyncpg
import redis.asyncio


async def test_a_database_is_empty_and_its_own(empty_database_url: str, database_url: str) -> None:
    assert empty_database_url != database_url
    connection = await asyncpg.connect(empty_database_url)
    assert await connection.fetchval("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'") == 0
    await connection.close()


async def test_a_test_and_its_module_have_a_valkey_each(redis_url: str, module_redis_url: str) -> None:
    async with redis.asyncio.from_url(redis_url) as ours, redis.asyncio.from_url(module_redis_url) as shared:
        await shared.set("a", "b")
        assert await ours.dbsize() == 0
