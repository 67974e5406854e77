"""What the client does, written once for threads and for asyncio.

Each verb is a generator that yields what it wants done (send this, wait so long) and is sent what came of it. `SyncCore` and `AsyncCore` do it, and know nothing else.
"""

from __future__ import annotations

import asyncio
import json
import random
import re
import time
import uuid
from dataclasses import dataclass, field
from typing import Any, AsyncIterator, Callable, Dict, Generator, Iterator, List, Mapping, Optional, Tuple, Union
from urllib.parse import quote

import httpx

from ._errors import LatheApiError, LatheConnectionError, LatheError
from ._routes import IDEMPOTENT_ROUTES

Content = Union[bytes, str, Any]


@dataclass(frozen=True)
class Settings:
    api_key: str
    base_url: str
    max_retries: int
    timeout: float
    max_retry_after: float
    stall: float
    max_reconnects: int
    now: Callable[[], float] = time.time
    chance: Callable[[], float] = random.random


@dataclass
class Request:
    method: str
    path: str
    query: List[Tuple[str, str]] = field(default_factory=list)
    headers: Dict[str, str] = field(default_factory=dict)
    content: Optional[Content] = None
    #: Seconds of silence that are too many; the settings' when left out.
    timeout: Optional[float] = None

    @property
    def is_repeatable(self) -> bool:
        """An upload is not kept in memory for the case that it fails."""
        return self.content is None or self.headers.get("content-type", "").startswith("application/json")


@dataclass
class Answer:
    status: int
    headers: Mapping[str, str]
    content: bytes

    def json(self) -> Any:
        """:raises LatheConnectionError: when it is no JSON"""
        if not self.content:
            return None
        try:
            return json.loads(self.content)
        except ValueError as error:
            raise LatheConnectionError("The answer is not JSON: is `base_url` the address of the service?") from error


# What a verb wants done.


@dataclass
class Send:
    """Answered with an `Answer`, read whole; raises `LatheConnectionError`."""

    request: Request


@dataclass
class Open:
    """Opens a stream. Answered with None, or with the `Answer` of a refusal; raises `LatheConnectionError`."""

    request: Request


@dataclass
class Read:
    """Answered with the next bytes of the open stream, None at its end; raises `LatheConnectionError`."""


@dataclass
class Close:
    """Lets go of the open stream, if there is one."""


@dataclass
class Sleep:
    seconds: float


@dataclass
class Emit:
    """Gives a value to whoever iterates."""

    value: Any


@dataclass
class AskSettings:
    """Answered with the `Settings`."""


Effect = Union[Send, Open, Read, Close, Sleep, Emit, AskSettings]
Steps = Generator[Effect, Any, Any]


def make_request(
    method: str,
    path: str,
    *,
    ids: Optional[Mapping[str, str]] = None,
    body: Any = None,
    query: Optional[Mapping[str, Any]] = None,
    headers: Optional[Mapping[str, str]] = None,
    content: Optional[Content] = None,
    timeout: Optional[float] = None,
) -> Request:
    """:raises TypeError: when an id is empty: the path would be another one"""
    filled = path
    for name, value in (ids or {}).items():
        if not isinstance(value, str) or value == "":
            raise TypeError(f"{name} must be a text that is not empty.")
        filled = filled.replace("{" + name + "}", quote(value, safe=""))
    all_headers = {key.lower(): value for key, value in (headers or {}).items()}
    if body is not None:
        content = json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()
        all_headers["content-type"] = "application/json"
    if method == "POST" and path in IDEMPOTENT_ROUTES:
        # One key for all tries of a start: a try whose answer was lost is found again, not repeated.
        all_headers.setdefault("idempotency-key", str(uuid.uuid4()))
    return Request(method, filled, list(_pairs(query or {})), all_headers, content, timeout)


def _pairs(query: Mapping[str, Any]) -> Iterator[Tuple[str, str]]:
    for name, value in query.items():
        if isinstance(value, Mapping):
            yield from ((f"{name}[{key}]", str(each)) for key, each in value.items())
        elif value is not None:
            yield name, str(value).lower() if isinstance(value, bool) else str(value)


def call(method: str, path: str, **options: Any) -> Steps:
    """One operation: its answer's JSON. :raises LatheApiError, LatheConnectionError:"""
    answer = yield from send(make_request(method, path, **options))
    return answer.json()


def rows(path: str, *, query: Optional[Mapping[str, Any]] = None, **options: Any) -> Steps:
    """All rows of a list, page after page, fetched as they are asked for."""
    asked = dict(query or {})
    while True:
        page = yield from call("GET", path, query=asked, **options)
        for row in page["data"]:
            yield Emit(row)
        cursor = page["next_cursor"]
        if cursor is None:
            return
        if cursor == asked.get("cursor"):
            raise LatheError("The list's next page is the same page again.")
        asked["cursor"] = cursor


def send(request: Request) -> Steps:
    """Tries again where that is safe: 429 always, 502, 503, 504 and lost connections only of what cannot be done twice."""
    settings: Settings = yield AskSettings()
    lost_before = False
    retry = 0
    while True:
        failure: Union[LatheConnectionError, LatheApiError]
        try:
            answer: Answer = yield Send(request)
            if 200 <= answer.status < 300:
                return answer
            failure = refusal(answer, settings)
        except LatheConnectionError as error:
            failure = error
        delay = None
        if retry < settings.max_retries and request.is_repeatable and _is_retried(request, failure, lost_before):
            asked = failure.retry_after if isinstance(failure, LatheApiError) else None
            delay = retry_delay(retry, asked, settings)
        if delay is None:
            raise failure
        lost_before = lost_before or not isinstance(failure, LatheApiError) or failure.status >= 502
        retry += 1
        yield Sleep(delay)


def refusal(answer: Answer, settings: Settings) -> LatheApiError:
    try:
        body = json.loads(answer.content)
    except ValueError:
        body = answer.content.decode("utf-8", "replace")
    return LatheApiError(answer.status, answer.headers, body, settings.now())


def _is_retried(request: Request, failure: Exception, lost_before: bool) -> bool:
    if isinstance(failure, LatheApiError):
        if failure.status == 429:
            return True
        if failure.status == 409:
            return lost_before and failure.code == "IDEMPOTENCY_CONFLICT"
        if failure.status not in (502, 503, 504):
            return False
    return request.method in ("GET", "HEAD", "PUT", "DELETE") or "idempotency-key" in request.headers


def is_passing(error: Exception) -> bool:
    """Whether asking again later may help."""
    return isinstance(error, LatheConnectionError) or (isinstance(error, LatheApiError) and error.status in (429, 500, 502, 503, 504))


FIRST_SECONDS = 0.5
MAX_SECONDS = 8.0
#: Of many who were told the same time, not all shall come back in the same instant.
SPREAD_SECONDS = 1.0


def retry_delay(retry: int, retry_after: Optional[int], settings: Settings) -> Optional[float]:
    """What the answer asked for and a little more, or exponential backoff with full jitter; None when it asks for too much."""
    if retry_after is None:
        return settings.chance() * min(MAX_SECONDS, FIRST_SECONDS * float(2**retry))
    return None if retry_after > settings.max_retry_after else retry_after + settings.chance() * SPREAD_SECONDS


def _is_http_address(base_url: str) -> bool:
    return re.match(r"https?://[^/]", base_url) is not None


def check_settings(api_key: Optional[str], base_url: Optional[str]) -> Tuple[str, str]:
    """:raises ValueError: when key or address are missing or cannot be right"""
    if not base_url:
        raise ValueError("There is no base_url: give the service's address, or set LATHE_BASE_URL.")
    if not _is_http_address(base_url):
        raise ValueError("base_url must be an http or https address.")
    if not api_key:
        raise ValueError("There is no api_key: give a key of the service, or set LATHE_API_KEY.")
    if not re.fullmatch(r"[\x21-\x7e]+", api_key):
        raise ValueError("api_key must be a key of the service, svc_sk_….")
    return api_key, base_url.rstrip("/")


class _Core:
    def __init__(self, settings: Settings) -> None:
        self.settings = settings

    def _arguments(self, request: Request, is_stream: bool) -> Dict[str, Any]:
        settings = self.settings
        silence = settings.stall if is_stream else (request.timeout or settings.timeout)
        return {
            "method": request.method,
            "url": settings.base_url + request.path,
            "params": request.query or None,
            "headers": {"authorization": f"Bearer {settings.api_key}", **request.headers},
            "content": request.content,
            "timeout": httpx.Timeout(settings.timeout, read=silence, write=silence),
        }

    @staticmethod
    def _lost(request: Optional[Request], error: Exception) -> LatheConnectionError:
        what = "no answer in time" if isinstance(error, httpx.TimeoutException) else "the connection failed or broke"
        where = f"{request.method} {request.path}: " if request else ""
        return LatheConnectionError(f"{where}{what} ({error})")


class SyncCore(_Core):
    """Does what verbs want done, and waits for it."""

    def __init__(self, settings: Settings, http: httpx.Client, sleep: Callable[[float], None] = time.sleep) -> None:
        super().__init__(settings)
        self.http = http
        self._sleep = sleep

    def run(self, steps: Steps) -> Any:
        """The verb's answer."""
        performer = SyncPerformer(self)
        try:
            while True:
                effect = performer.next(steps)
                if effect is None:
                    return performer.returned
                performer.perform(effect)
        finally:
            performer.close()

    def iterate(self, steps: Steps) -> Iterator[Any]:
        """What the verb gives, one after the other."""
        performer = SyncPerformer(self)
        try:
            while True:
                effect = performer.next(steps)
                if effect is None:
                    return
                if isinstance(effect, Emit):
                    yield effect.value
                    performer.result = None
                else:
                    performer.perform(effect)
        finally:
            performer.close()


class _Performer:
    """One verb's way through its generator: what came of its last request, and its open stream."""

    def __init__(self) -> None:
        self.result: Any = None
        self.error: Optional[Exception] = None
        self.returned: Any = None

    def next(self, steps: Steps) -> Optional[Effect]:
        """The verb's next request; None when it is done."""
        result, error = self.result, self.error
        self.result = self.error = None
        try:
            return steps.send(result) if error is None else steps.throw(error)
        except StopIteration as end:
            self.returned = end.value
            return None


class SyncPerformer(_Performer):
    def __init__(self, core: SyncCore) -> None:
        super().__init__()
        self._core = core
        self._stream: Optional[httpx.Response] = None
        self._bytes: Iterator[bytes] = iter(())

    def perform(self, effect: Effect) -> None:
        try:
            self.result = self._do(effect)
        except (httpx.TransportError, httpx.StreamError, httpx.DecodingError) as error:
            self.error = _Core._lost(getattr(effect, "request", None), error)

    def _do(self, effect: Effect) -> Any:
        core = self._core
        if isinstance(effect, AskSettings):
            return core.settings
        if isinstance(effect, Sleep):
            return core._sleep(effect.seconds)
        if isinstance(effect, Send):
            response = core.http.request(**core._arguments(effect.request, False))
            return Answer(response.status_code, response.headers, response.content)
        if isinstance(effect, Open):
            self.close()
            request = core.http.build_request(**core._arguments(effect.request, True))
            stream = core.http.send(request, stream=True)
            self._stream, self._bytes = stream, stream.iter_bytes()
            if 200 <= stream.status_code < 300:
                return None
            return Answer(stream.status_code, stream.headers, stream.read())
        if isinstance(effect, Read):
            return next(self._bytes, None)
        return self.close()

    def close(self) -> None:
        stream, self._stream = self._stream, None
        if stream is not None:
            stream.close()


class AsyncCore(_Core):
    """The same for asyncio."""

    def __init__(self, settings: Settings, http: httpx.AsyncClient, sleep: Callable[[float], Any] = asyncio.sleep) -> None:
        super().__init__(settings)
        self.http = http
        self._sleep = sleep

    async def run(self, steps: Steps) -> Any:
        """The verb's answer."""
        performer = AsyncPerformer(self)
        try:
            while True:
                effect = performer.next(steps)
                if effect is None:
                    return performer.returned
                await performer.perform(effect)
        finally:
            await performer.close()

    async def iterate(self, steps: Steps) -> AsyncIterator[Any]:
        """What the verb gives, one after the other."""
        performer = AsyncPerformer(self)
        try:
            while True:
                effect = performer.next(steps)
                if effect is None:
                    return
                if isinstance(effect, Emit):
                    yield effect.value
                    performer.result = None
                else:
                    await performer.perform(effect)
        finally:
            await performer.close()


class AsyncPerformer(_Performer):
    def __init__(self, core: AsyncCore) -> None:
        super().__init__()
        self._core = core
        self._stream: Optional[httpx.Response] = None
        self._bytes: Optional[AsyncIterator[bytes]] = None

    async def perform(self, effect: Effect) -> None:
        try:
            self.result = await self._do(effect)
        except (httpx.TransportError, httpx.StreamError, httpx.DecodingError) as error:
            self.error = _Core._lost(getattr(effect, "request", None), error)

    async def _do(self, effect: Effect) -> Any:
        core = self._core
        if isinstance(effect, AskSettings):
            return core.settings
        if isinstance(effect, Sleep):
            return await core._sleep(effect.seconds)
        if isinstance(effect, Send):
            response = await core.http.request(**core._arguments(effect.request, False))
            return Answer(response.status_code, response.headers, response.content)
        if isinstance(effect, Open):
            await self.close()
            request = core.http.build_request(**core._arguments(effect.request, True))
            stream = await core.http.send(request, stream=True)
            self._stream, self._bytes = stream, stream.aiter_bytes()
            if 200 <= stream.status_code < 300:
                return None
            return Answer(stream.status_code, stream.headers, await stream.aread())
        if isinstance(effect, Read):
            try:
                return await self._bytes.__anext__() if self._bytes else None
            except StopAsyncIteration:
                return None
        return await self.close()

    async def close(self) -> None:
        stream, self._stream = self._stream, None
        if stream is not None:
            await stream.aclose()
