"""What takes more than one request: waiting, streams that resume, files."""

from __future__ import annotations

import json
from typing import Any, Callable, Dict, Mapping, Optional, Sequence

from ._core import Answer, AskSettings, Close, Emit, Open, Read, Request, Settings, Sleep, Steps, call, is_passing, make_request, refusal, retry_delay, send
from ._errors import LatheApiError, LatheConnectionError, LatheError, LatheRunError, LatheRunUnknownError, LatheStreamError, LatheTimeoutError

RUN_ENDS = ("completed", "failed", "cancelled")
EDIT_ENDS = ("succeeded", "failed", "cancelled")
POLL_SECONDS = 0.25
GROWTH = 1.6
MAX_GROWTH = 20
TRANSFER_SECONDS = 600.0


def keyed(idempotency_key: Optional[str]) -> Optional[Dict[str, str]]:
    return None if idempotency_key is None else {"idempotency-key": idempotency_key}


def poll(run_id: str, fetch: Callable[[], Steps], is_enough: Callable[[Any], bool], timeout: Optional[float], every: float) -> Steps:
    """Fetches again and again, ever more slowly, until it is enough. Outages of the service are waited through."""
    settings: Settings = yield AskSettings()
    end = None if timeout is None else settings.now() + timeout
    failures = 0
    delay = every
    while True:
        try:
            found = yield from fetch()
            if is_enough(found):
                return found
            failures = 0
        except LatheError as error:
            failures += 1
            if not is_passing(error) or failures > settings.max_reconnects:
                raise
        # A little chance keeps many waiters from asking in step.
        pause = delay * (0.8 + 0.4 * settings.chance())
        if end is not None and settings.now() + pause > end:
            raise LatheTimeoutError(f"Run {run_id} did not end within {timeout} s; it goes on.", run_id)
        yield Sleep(pause)
        delay = min(every * MAX_GROWTH, delay * GROWTH)


def wait(base: str, run_id: str, timeout: Optional[float], every: float, until_action: bool) -> Steps:
    def is_enough(run: Any) -> bool:
        return run["status"] in RUN_ENDS or (until_action and run["requires_action"] is not None)

    return poll(run_id, lambda: call("GET", base + "/{run_id}", ids={"run_id": run_id}), is_enough, timeout, every)


def create_and_wait(
    base: str, body: Mapping[str, Any], idempotency_key: Optional[str], timeout: Optional[float], every: float, read_data: Optional[Callable[[Any], Any]]
) -> Steps:
    started = yield from call("POST", base, body=body, headers=keyed(idempotency_key))
    run = yield from wait(base, started["run_id"], timeout, every, False)
    if run["status"] != "completed":
        raise LatheRunError(run)
    if read_data is not None:
        run["result"]["data"] = read_data(run["result"].get("data"))
    return run


def wait_for_agent(run_id: str, timeout: Optional[float], every: float) -> Steps:
    run = yield from wait("/v1/runs", run_id, timeout, every, False)
    if run["status"] != "completed" or run["agent_id"] is None:
        raise LatheRunError(run)
    return run["agent_id"]


def create_agent_and_wait(body: Mapping[str, Any], idempotency_key: Optional[str], timeout: Optional[float], every: float) -> Steps:
    started = yield from call("POST", "/v1/agents", body=body, headers=keyed(idempotency_key))
    return (yield from wait_for_agent(started["run_id"], timeout, every))


def wait_for_edit(agent_id: str, run_id: str, timeout: Optional[float], every: float) -> Steps:
    ids = {"agent_id": agent_id, "run_id": run_id}
    edit = yield from poll(run_id, lambda: call("GET", "/v1/agents/{agent_id}/edits/{run_id}", ids=ids), lambda run: run["status"] in EDIT_ENDS, timeout, every)
    if edit["status"] != "succeeded":
        raise LatheRunError(edit)
    return edit


def text_of(request: Request) -> Steps:
    answer: Answer = yield from send(request)
    return answer.content.decode("utf-8")


def upload(workspace_id: str, path: str, content: Any, content_type: Optional[str], timeout: float) -> Steps:
    """Sent once: bytes of a stream are gone after the first try."""
    headers = {"content-type": content_type or "application/octet-stream"}
    sent = content.encode() if isinstance(content, str) else content
    ids = {"workspace_id": workspace_id}
    return call("POST", "/v1/workspaces/{workspace_id}/files", ids=ids, query={"path": path}, headers=headers, content=sent, timeout=timeout)


def download(workspace_id: str, file_id: str, byte_range: Optional[str], timeout: float) -> Steps:
    ids = {"workspace_id": workspace_id, "file_id": file_id}
    headers = {} if byte_range is None else {"range": byte_range}
    request = make_request("GET", "/v1/workspaces/{workspace_id}/files/{file_id}/content", ids=ids, headers=headers, timeout=timeout)
    answer: Answer = yield from send(request)
    return answer.content


def download_of_run(run_id: str, path: str, byte_range: Optional[str], timeout: float) -> Steps:
    headers = {} if byte_range is None else {"range": byte_range}
    request = make_request("GET", "/v1/runs/{run_id}/files/content", ids={"run_id": run_id}, query={"path": path}, headers=headers, timeout=timeout)
    answer: Answer = yield from send(request)
    return answer.content


def download_parts(workspace_id: str, file_id: str) -> Steps:
    """The same, piece by piece, for what does not fit into memory. A line that breaks is an error: a part is gone."""
    settings: Settings = yield AskSettings()
    ids = {"workspace_id": workspace_id, "file_id": file_id}
    refused: Optional[Answer] = yield Open(make_request("GET", "/v1/workspaces/{workspace_id}/files/{file_id}/content", ids=ids))
    if refused is not None:
        raise refusal(refused, settings)
    while True:
        part: Optional[bytes] = yield Read()
        if part is None:
            return
        yield Emit(part)


def export_end_user(end_user: str) -> Steps:
    """Pieces of NDJSON. A line that breaks is an error: a part is gone."""
    settings: Settings = yield AskSettings()
    refused: Optional[Answer] = yield Open(make_request("GET", "/v1/end-users/{end_user}/export", ids={"end_user": end_user}))
    if refused is not None:
        raise refusal(refused, settings)
    while True:
        part: Optional[bytes] = yield Read()
        if part is None:
            return
        yield Emit(part)


LINE_MAX_BYTES = 64 * 1024 * 1024
STREAM_HEADERS = {"accept": "application/x-ndjson"}


class StreamState:
    """Where a run's stream is, for whoever wants to go on elsewhere."""

    #: How its lines are numbered.
    _number = "sequence_number"

    def __init__(self, base: str, start: Optional[Request], run_id: Optional[str], after: int, on_reconnect: Optional[Callable[[], None]]) -> None:
        #: None until the first event of a run that is started here.
        self.run_id = run_id
        #: Of the last event that was given out; what to resume after.
        self.last_sequence_number = after
        self._base = base
        self._start = start
        self._on_reconnect = on_reconnect
        self._failures = 0
        self._taken = False

    def _steps(self) -> Steps:
        if self._taken:
            raise LatheError("A stream is read once; `runs.events` reads the run's events again.")
        self._taken = True
        return self._events()

    def _events(self) -> Steps:
        settings: Settings = yield AskSettings()
        first = self.last_sequence_number
        is_over = False
        while True:
            before = self.last_sequence_number
            cause: Optional[LatheError] = None
            self._failures += 1
            try:
                yield from self._open(settings)
                held = bytearray()
                while True:
                    part: Optional[bytes] = yield Read()
                    if part is None:
                        break
                    held += part
                    if len(held) > LINE_MAX_BYTES:
                        raise LatheConnectionError("A line of the stream is too long.")
                    if b"\n" not in part:
                        continue
                    # What follows the last newline was cut off, or is still to come.
                    *lines, held = held.split(b"\n")
                    for line in lines:
                        event = self._event_of(bytes(line))
                        if event is None:
                            continue
                        yield Emit(event)
                        if event["type"] in ("run.completed", "run.failed"):
                            yield Close()
                            return
                # Asked before the connection that then brings nothing, so that no event can have come in between.
                if is_over and self.last_sequence_number == before:
                    if self._start is None and self.last_sequence_number == first:
                        return
                    raise self._give_up("the service no longer keeps the rest of its events")
                was_over = is_over
                is_over = is_over or (yield from self._is_over())
                if is_over and not was_over:
                    continue
            except (LatheConnectionError, LatheApiError) as error:
                cause = self._to_passing(error)
            yield Close()
            yield from self._pause(settings, cause)

    def _open(self, settings: Settings) -> Steps:
        if self.run_id is None and self._start is not None:
            request = self._start
        else:
            request = self._resume()
        refused: Optional[Answer] = yield Open(request)
        if refused is not None:
            raise refusal(refused, settings)

    def _resume(self) -> Request:
        ids = {"run_id": self._known_id()}
        return make_request("GET", self._base + "/{run_id}/events", ids=ids, query={"starting_after": self.last_sequence_number}, headers=STREAM_HEADERS)

    def _is_over(self) -> Steps:
        run = yield from call("GET", self._base + "/{run_id}", ids={"run_id": self._known_id()})
        return run["status"] in RUN_ENDS

    def _event_of(self, line: bytes) -> Optional[Dict[str, Any]]:
        """The line's event when it is the next one; None for keepalives and what was given out already."""
        if not line.strip():
            return None
        try:
            event = json.loads(line)
        except ValueError as error:
            raise LatheConnectionError("A line of the stream is not a JSON object.") from error
        if not isinstance(event, dict):
            raise LatheConnectionError("A line of the stream is not a JSON object.")
        if event.get("type") == "error":
            raise LatheConnectionError(f"{event.get('code')}: {event.get('message')}")
        self._failures = 0
        number = event.get(self._number)
        if event.get("type") == "ping" or not isinstance(number, int) or number <= self.last_sequence_number:
            return None
        if number > self.last_sequence_number + 1:
            raise LatheConnectionError(f"The stream lost what comes before event {number}.")
        self.last_sequence_number = number
        if self.run_id is None:
            self.run_id = event["run_id"]
        return event

    def _to_passing(self, error: LatheError) -> LatheError:
        """The error, if going on after it may help; raises it, if not."""
        if not is_passing(error):
            raise error
        if self.run_id is not None:
            return error
        # A gateway's own answer leaves open what the service behind it did.
        if isinstance(error, LatheApiError) and (error.code != "UNEXPECTED_ANSWER" or error.status < 502):
            raise error
        raise LatheRunUnknownError("The connection broke before the run was known: it may have been started, or not.") from error

    def _pause(self, settings: Settings, cause: Optional[LatheError]) -> Steps:
        if self._failures >= settings.max_reconnects:
            raise self._give_up(f"{self._failures} connections in a row brought nothing") from cause
        asked = cause.retry_after if isinstance(cause, LatheApiError) else None
        delay = retry_delay(self._failures, asked, settings)
        if delay is None:
            raise self._give_up(f"the service asks to wait {asked} s") from cause
        if self._on_reconnect:
            self._on_reconnect()
        yield Sleep(delay)

    def _give_up(self, why: str) -> LatheStreamError:
        run_id = self._known_id()
        return LatheStreamError(f"The events of run {run_id} cannot be read on: {why}.", run_id, self.last_sequence_number)

    def _known_id(self) -> str:
        if self.run_id is None:
            raise LatheRunUnknownError("The stream ended before its first event.")
        return self.run_id


class AppStreamState(StreamState):
    """The same of a run of the app-scoped path, whose lines are in camelCase."""

    _number = "sequenceNumber"

    def __init__(self, app_id: str, run_id: str, after: int, on_reconnect: Optional[Callable[[], None]]) -> None:
        super().__init__("/api/v1/apps/{appId}/runs", None, run_id, after, on_reconnect)
        self._ids = {"appId": app_id, "runId": run_id}

    def _resume(self) -> Request:
        return make_request("GET", self._base + "/{runId}/events", ids=self._ids, query={"startingAfter": self.last_sequence_number}, headers=STREAM_HEADERS)

    def _is_over(self) -> Steps:
        run = yield from call("GET", self._base + "/{runId}", ids=self._ids)
        return run["status"] in RUN_ENDS


def follow_events(starting_after: int, kinds: Optional[Sequence[str]]) -> Steps:
    """The account's events after a number, each once, without an end. A connection that breaks is opened again where it was."""
    settings: Settings = yield AskSettings()
    last = starting_after
    failures = 0
    while True:
        cause: LatheError = LatheConnectionError("The account's events cannot be read on: the connections bring nothing.")
        failures += 1
        try:
            query = {"starting_after": last, "types": None if kinds is None else ",".join(kinds)}
            refused: Optional[Answer] = yield Open(make_request("GET", "/v1/events", query=query, headers=STREAM_HEADERS))
            if refused is not None:
                raise refusal(refused, settings)
            held = bytearray()
            while True:
                part: Optional[bytes] = yield Read()
                if part is None:
                    break
                held += part
                *lines, held = held.split(b"\n")
                for line in lines:
                    event = _account_event(bytes(line))
                    if event is not None:
                        failures = 0
                    if event is not None and event.get("type") != "ping" and event["sequence"] > last:
                        last = event["sequence"]
                        yield Emit(event)
        except (LatheConnectionError, LatheApiError) as error:
            if not is_passing(error):
                raise
            cause = error
        yield Close()
        asked = cause.retry_after if isinstance(cause, LatheApiError) else None
        delay = retry_delay(max(failures, 1), asked, settings)
        if failures >= settings.max_reconnects or delay is None:
            raise cause
        yield Sleep(delay)


def _account_event(line: bytes) -> Optional[Dict[str, Any]]:
    if not line.strip():
        return None
    try:
        event = json.loads(line)
    except ValueError as error:
        raise LatheConnectionError("A line of the stream is not a JSON object.") from error
    if not isinstance(event, dict) or event.get("type") == "error":
        raise LatheConnectionError("The stream broke off.")
    return event
