"""The HTTP API as tests call it beside a page."""

import httpx

from tests.support.waiting import LIMIT


def api(site: str) -> httpx.AsyncClient:
    """Return a client of the API at `site`; a slow machine makes it wait, and no more than that."""
    return httpx.AsyncClient(base_url=f"{site}/api/v1", timeout=LIMIT)
