"""The report that a failed web test prints.

It has the page's text and latest requests, and the server's state of the table.
"""

import json

from playwright.async_api import Error, Page

from tests.support.waiting import in_time

CALLS, EVENTS, TEXT = 15, 8, 600
WAIT_MS = 5_000
"""How long the server may take for each answer, in milliseconds."""

# Requests without an answer have no entry, so a call that the page still waits for is missing here.
FOUND = """async ([calls, events, text, wait]) => {
    const table = document.querySelector('[data-table]')
    const path = `/api/v1/tables/${location.pathname.split('/')[2]}`
    const ask = async path => {
        const token = localStorage.getItem('ludarium.token')
        const answer = await fetch(path, {
            headers: token ? {authorization: `Bearer ${token}`} : {}, signal: AbortSignal.timeout(wait),
        })
        return answer.ok ? answer.json() : `${answer.status} ${await answer.text()}`
    }
    const seen = async () => {
        const {seq, status, viewer, view, choice} = await ask(`${path}/view`)
        const last = await ask(`${path}/events?after=${Math.max(-1, seq - events)}`)
        const told = last.events?.map(({seq, type, data}) => `${seq} ${type} ${data.seat ?? ''} ${data.action?.id ?? ''}`)
        return {seq, status, viewer, asked: view?.asked, choice: choice?.prompt.id, events: told ?? last}
    }
    return {
        page: location.href, ...(table && {table: {...table.dataset}}),
        trouble: [...document.querySelectorAll('.trouble')].map(each => each.textContent),
        text: document.body.innerText.slice(0, text),
        calls: performance.getEntriesByType('resource').filter(({name}) => name.includes('/api/')).slice(-calls)
            .map(({name, responseStatus, startTime, duration}) =>
                `${Math.round(startTime)} ms: ${responseStatus} ${name} in ${Math.round(duration)} ms`),
        now: Math.round(performance.now()),
        ...(location.pathname.startsWith('/t/') && {server: await seen().catch(String)}),
    }
}"""


async def evidence(page: Page) -> str:
    """Describe the current state of the page."""
    try:
        found = await in_time(page.evaluate(FOUND, [CALLS, EVENTS, TEXT, WAIT_MS]))
    except (Error, TimeoutError) as error:
        return f"{page.url} does not answer: {error}"
    return json.dumps(found, indent=1, ensure_ascii=False)
