"""The client for asyncio: `_client.py` with await, line by line."""

from __future__ import annotations

import os
from typing import Any, Callable, Dict, AsyncIterator, Mapping, Optional, Sequence, cast

import httpx

from . import _async_resources as resources
from . import _verbs as verbs
from . import types
from ._core import Settings, AsyncCore, call, check_settings, make_request


class AsyncRunStream(verbs.StreamState):
    """The events of one run, in order, each once, none left out, up to the terminal one, over broken connections. Leaving the loop leaves the run alone."""

    def __init__(self, core: AsyncCore, *state: Any) -> None:
        super().__init__(*state)
        self._core = core

    def __aiter__(self) -> AsyncIterator[Dict[str, Any]]:
        return self._core.iterate(self._steps())

    async def end(self) -> Optional[Dict[str, Any]]:
        """Reads to the terminal event; None when there was nothing left to read of a run that is over."""
        last = None
        async for last in self:
            pass
        return last


class AsyncAppRunStream(AsyncRunStream, verbs.AppStreamState):
    """The same of a run of the app-scoped path, whose events are in camelCase."""


class _Runs:
    _base = "/v1/runs"
    _realtime = "/v1/realtime/runs"
    _core: AsyncCore

    async def create(self, body: types.CreateRunRequest, *, idempotency_key: Optional[str] = None) -> types.Run:
        """Starts a run. Retried safely: one call never starts two."""
        return cast("types.Run", await self._core.run(call("POST", self._base, body=body, headers=verbs.keyed(idempotency_key))))

    async def create_and_wait(
        self,
        body: types.CreateRunRequest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        poll: float = verbs.POLL_SECONDS,
        read_data: Optional[Callable[[Any], Any]] = None,
    ) -> types.CompletedRun:
        """Starts a run and waits until it is completed; `read_data` makes of `result["data"]` what takes its place.

        :raises LatheRunError: when it ends in another way
        :raises LatheTimeoutError: after `timeout` seconds; the run goes on
        """
        steps = verbs.create_and_wait(self._base, body, idempotency_key, timeout, poll, read_data)
        return cast("types.CompletedRun", await self._core.run(steps))

    async def get(self, run_id: str) -> types.Run:
        return cast("types.Run", await self._core.run(call("GET", self._base + "/{run_id}", ids={"run_id": run_id})))

    async def cancel(self, run_id: str) -> types.Run:
        """Cancels it; a run that has ended is given back unchanged."""
        return cast("types.Run", await self._core.run(call("POST", self._base + "/{run_id}/cancel", ids={"run_id": run_id})))

    async def wait(self, run_id: str, *, timeout: Optional[float] = None, poll: float = verbs.POLL_SECONDS, until_action: bool = False) -> types.Run:
        """Polls until the run has ended, however it did, or with `until_action` waits for somebody. :raises LatheTimeoutError:"""
        return cast("types.Run", await self._core.run(verbs.wait(self._base, run_id, timeout, poll, until_action)))

    def stream(self, body: types.RealtimeRunRequest, *, on_reconnect: Optional[Callable[[], None]] = None) -> AsyncRunStream:
        """Starts a run with the first event asked for, and gives its events until it has ended. See `AsyncRunStream`."""
        start = make_request("POST", self._realtime, body=body, headers=verbs.STREAM_HEADERS)
        return AsyncRunStream(self._core, self._base, start, None, -1, on_reconnect)

    def events(self, run_id: str, *, starting_after: int = -1, on_reconnect: Optional[Callable[[], None]] = None) -> AsyncRunStream:
        """The events of a run that is there, then those to come. Kept for 24 hours after its end."""
        return AsyncRunStream(self._core, self._base, None, run_id, starting_after, on_reconnect)


class Runs(_Runs, resources.Runs):
    pass


class SuperAgentRuns(_Runs, resources.SuperAgentRuns):
    _base = "/v1/super-agent/runs"
    _realtime = "/v1/super-agent/realtime/runs"


class Agents(resources.Agents):
    async def create(self, body: types.CreateAgentRequest, *, idempotency_key: Optional[str] = None) -> types.Run:
        """Starts the creation run."""
        return cast("types.Run", await self._core.run(call("POST", "/v1/agents", body=body, headers=verbs.keyed(idempotency_key))))

    async def create_and_wait(
        self, body: types.CreateAgentRequest, *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None, poll: float = verbs.POLL_SECONDS
    ) -> str:
        """Starts the creation run, waits for it and gives the new agent's id. :raises LatheRunError: when none was made"""
        return cast(str, await self._core.run(verbs.create_agent_and_wait(body, idempotency_key, timeout, poll)))

    async def wait_for_agent(self, run_id: str, *, timeout: Optional[float] = None, poll: float = verbs.POLL_SECONDS) -> str:
        """Waits for a creation run and gives the new agent's id. :raises LatheRunError: when none was made"""
        return cast(str, await self._core.run(verbs.wait_for_agent(run_id, timeout, poll)))

    async def edit(self, agent_id: str, body: types.CreateAgentEditRequest, *, idempotency_key: Optional[str] = None) -> types.EditRun:
        """Starts an edit run; the agent stays as it is until the edit succeeds."""
        steps = call("POST", "/v1/agents/{agent_id}/edits", ids={"agent_id": agent_id}, body=body, headers=verbs.keyed(idempotency_key))
        return cast("types.EditRun", await self._core.run(steps))

    async def wait_for_edit(self, agent_id: str, run_id: str, *, timeout: Optional[float] = None, poll: float = verbs.POLL_SECONDS) -> types.EditRun:
        """Waits for an edit run that succeeds. :raises LatheRunError: when it does not"""
        return cast("types.EditRun", await self._core.run(verbs.wait_for_edit(agent_id, run_id, timeout, poll)))

    async def export(self, agent_id: str) -> str:
        """The agent as one document of YAML, with what stands in its comments."""
        return cast(str, await self._core.run(verbs.text_of(make_request("GET", "/v1/agents/{agent_id}/export", ids={"agent_id": agent_id}))))

    async def import_document(self, document: str) -> types.Agent:
        """A new agent of such a document. Sent once: a second try could make a second agent."""
        yaml = {"content-type": "application/yaml"}
        return cast("types.Agent", await self._core.run(call("POST", "/v1/agents/import", content=document.encode(), headers=yaml)))


class Approvals(resources.Approvals):
    async def approve(self, approval_id: str) -> types.Approval:
        """Lets the call that waits be made."""
        return await self.resolve(approval_id, {"decision": "approve"})

    async def reject(self, approval_id: str, message: Optional[str] = None) -> types.Approval:
        """Refuses it; the model is told `message`."""
        return await self.resolve(approval_id, {"decision": "reject", "message": message})


class Apps(resources.Apps):
    def events(self, app_id: str, run_id: str, *, starting_after: int = -1, on_reconnect: Optional[Callable[[], None]] = None) -> AsyncAppRunStream:
        """The events of a run of the app-scoped path after `starting_after`, then those to come."""
        return AsyncAppRunStream(self._core, app_id, run_id, starting_after, on_reconnect)


class EndUsers(resources.EndUsers):
    def export(self, end_user: str) -> AsyncIterator[bytes]:
        """All that is kept of a person, piece by piece, one JSON object a line; without the last one (`end`) it was cut."""
        return self._core.iterate(verbs.export_end_user(end_user))


class Events(resources.Events):
    def follow(self, *, starting_after: int = 0, types: Optional[Sequence[str]] = None) -> AsyncIterator[Dict[str, Any]]:
        """The account's events after `starting_after`, then those to come, each once, over broken connections, without an end."""
        return self._core.iterate(verbs.follow_events(starting_after, types))


class Files(resources.Files):
    async def upload(
        self, workspace_id: str, path: str, content: Any, *, content_type: Optional[str] = None, timeout: float = verbs.TRANSFER_SECONDS
    ) -> types.WorkspaceFile:
        """Stores bytes, a text, an open file or an async iterator of bytes at `path`; what was there is replaced. Sent once."""
        return cast("types.WorkspaceFile", await self._core.run(verbs.upload(workspace_id, path, content, content_type, timeout)))

    async def download(self, workspace_id: str, file_id: str, *, byte_range: Optional[str] = None, timeout: float = verbs.TRANSFER_SECONDS) -> bytes:
        """The file's bytes, all at once."""
        return cast(bytes, await self._core.run(verbs.download(workspace_id, file_id, byte_range, timeout)))

    async def download_of_run(self, run_id: str, path: str, *, byte_range: Optional[str] = None, timeout: float = verbs.TRANSFER_SECONDS) -> bytes:
        """The bytes of a file that a run has made."""
        return cast(bytes, await self._core.run(verbs.download_of_run(run_id, path, byte_range, timeout)))

    def download_parts(self, workspace_id: str, file_id: str) -> AsyncIterator[bytes]:
        """The file's bytes, piece by piece. :raises LatheConnectionError: when the line breaks"""
        return self._core.iterate(verbs.download_parts(workspace_id, file_id))


class AsyncLathe:
    """A client of one account, for asyncio. Nothing is sent before the first call; `close` it, or use it by `async with`.

    `api_key` and `base_url` are by default those of the environment's LATHE_API_KEY and LATHE_BASE_URL. Times are in seconds. `http_client` is yours to close.

    :raises ValueError: when key or address cannot be right
    """

    def __init__(
        self,
        api_key: Optional[str] = None,
        base_url: Optional[str] = None,
        *,
        http_client: Optional[httpx.AsyncClient] = None,
        max_retries: int = 3,
        timeout: float = 30.0,
        max_retry_after: float = 60.0,
        stall: float = 30.0,
        max_reconnects: int = 10,
    ) -> None:
        key, address = check_settings(api_key or os.environ.get("LATHE_API_KEY"), base_url or os.environ.get("LATHE_BASE_URL"))
        self._own = httpx.AsyncClient() if http_client is None else None
        settings = Settings(key, address, max_retries, timeout, max_retry_after, stall, max_reconnects)
        core = self._core = AsyncCore(settings, http_client or cast(httpx.AsyncClient, self._own))
        self.account = resources.Account(core)
        self.agent_cases = resources.AgentCases(core)
        self.agents = Agents(core)
        self.apps = Apps(core)
        self.approvals = Approvals(core)
        self.artifacts = resources.Artifacts(core)
        self.client_tokens = resources.ClientTokens(core)
        self.connections = resources.Connections(core)
        self.connectors = resources.Connectors(core)
        self.conversations = resources.Conversations(core)
        self.documents = resources.Documents(core)
        self.end_users = EndUsers(core)
        self.events = Events(core)
        self.files = Files(core)
        self.memories = resources.Memories(core)
        self.product_profile = resources.ProductProfile(core)
        self.runs = Runs(core)
        self.schedules = resources.Schedules(core)
        self.secrets = resources.Secrets(core)
        self.skills = resources.Skills(core)
        self.super_agent_runs = SuperAgentRuns(core)
        self.templates = resources.Templates(core)
        self.webhook_deliveries = resources.WebhookDeliveries(core)
        self.webhook_endpoints = resources.WebhookEndpoints(core)
        self.workspaces = resources.Workspaces(core)

    async def request(self, method: str, path: str, *, body: Any = None, query: Optional[Mapping[str, Any]] = None, headers: Optional[Mapping[str, str]] = None) -> Any:
        """Any operation by its path, filled in, such as one that is newer than this client."""
        return await self._core.run(call(method, path, body=body, query=query, headers=headers))

    async def close(self) -> None:
        if self._own is not None:
            await self._own.aclose()

    async def __aenter__(self) -> AsyncLathe:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()
