"""What needs no service: retries by a clock of the test's own, streams cut at every byte, webhooks, and that both kinds of client are one."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import inspect
import json
import os
import unittest
from unittest import mock

import httpx

import lathe_client as lathe
from lathe_client import _async_resources, _resources
from lathe_client._core import Settings

RUN_ID = "01939d3b-7c1a-7b60-9f5e-3f7a2c1d4e5f"
LOG = [
    {"type": "run.created", "sequence_number": 0, "run_id": RUN_ID},
    {"type": "output_text.delta", "sequence_number": 1, "run_id": RUN_ID, "delta": "Grüße 🌍"},
    {"type": "output_text.delta", "sequence_number": 2, "run_id": RUN_ID, "delta": " und \u2028 alle"},
    {"type": "run.completed", "sequence_number": 3, "run_id": RUN_ID},
]
LINES = b"".join(json.dumps(event, ensure_ascii=False).encode() + b"\n" for event in LOG)


def refusal(status: int, code: str, **headers: str) -> httpx.Response:
    return httpx.Response(status, json={"error": code, "message": "No."}, headers=headers)


class World:
    """A service that answers as the test says, and a clock that only sleeping moves."""

    def __init__(self, answer) -> None:
        self.requests: list[httpx.Request] = []
        self.slept: list[float] = []

        def handle(request: httpx.Request) -> httpx.Response:
            self.requests.append(request)
            result = answer(request, len(self.requests))
            if isinstance(result, Exception):
                raise result
            return result

        self.client = lathe.Lathe("svc_sk_test", "http://service", http_client=httpx.Client(transport=httpx.MockTransport(handle)))
        core = self.client._core
        core.settings = Settings("svc_sk_test", "http://service", 3, 30, 60, 30, 10, now=lambda: sum(self.slept), chance=lambda: 0.5)
        core._sleep = self.slept.append


class Retries(unittest.TestCase):
    def test_a_refusal_for_a_full_budget_is_waited_for_whatever_the_method(self):
        world = World(lambda request, count: refusal(429, "RATE_LIMITED", **{"retry-after": "7"}) if count == 1 else httpx.Response(201, json={"name": "w"}))
        self.assertEqual(world.client.workspaces.create({"name": "w"}), {"name": "w"})
        self.assertEqual(world.slept, [7.5])

    def test_a_longer_one_is_told_instead(self):
        world = World(lambda request, count: refusal(429, "RATE_LIMITED", **{"retry-after": "61"}))
        with self.assertRaises(lathe.LatheApiError) as caught:
            world.client.account.get()
        self.assertEqual((caught.exception.retry_after, len(world.requests)), (61, 1))

    def test_a_lost_answer_is_asked_for_again_only_where_nothing_is_done_twice(self):
        for act, tries in (
            (lambda client: client.account.get(), 4),
            (lambda client: client.secrets.replace("N", {"value": "v"}), 4),
            (lambda client: client.runs.create({"input": {}}), 4),
            (lambda client: client.workspaces.create({"name": "w"}), 1),
            (lambda client: client.agents.update("a", {"name": "n"}), 1),
            (lambda client: client.files.upload("w", "p", b"x"), 1),
        ):
            for fault in (httpx.ConnectError("gone"), refusal(503, "SERVICE_UNAVAILABLE")):
                world = World(lambda request, count, fault=fault: fault)
                with self.assertRaises((lathe.LatheConnectionError, lathe.LatheApiError)):
                    act(world.client)
                self.assertEqual(len(world.requests), tries)

    def test_all_tries_of_a_start_have_one_key_and_a_try_still_at_work_is_waited_for(self):
        answers = [httpx.ReadError("cut"), refusal(409, "IDEMPOTENCY_CONFLICT"), httpx.Response(202, json={"run_id": RUN_ID})]
        world = World(lambda request, count: answers[count - 1])
        self.assertEqual(world.client.runs.create({"input": {}})["run_id"], RUN_ID)
        self.assertEqual(len({request.headers["idempotency-key"] for request in world.requests}), 1)
        conflict = World(lambda request, count: refusal(409, "IDEMPOTENCY_CONFLICT"))
        with self.assertRaises(lathe.LatheApiError):
            conflict.client.runs.create({"input": {}})
        self.assertEqual(len(conflict.requests), 1)

    def test_an_answer_that_is_none_of_the_service_is_told(self):
        world = World(lambda request, count: httpx.Response(404, text="<html>"))
        with self.assertRaises(lathe.LatheApiError) as caught:
            world.client.account.get()
        self.assertEqual(caught.exception.code, "UNEXPECTED_ANSWER")
        page = World(lambda request, count: httpx.Response(200, text="<html>"))
        with self.assertRaises(lathe.LatheConnectionError):
            page.client.account.get()

    def test_an_id_that_is_empty_is_an_error_and_ids_are_quoted(self):
        world = World(lambda request, count: httpx.Response(200, json={}))
        with self.assertRaises(TypeError):
            world.client.agents.archive("")
        self.assertEqual(world.requests, [])
        world.client.agents.get("a/../b")
        self.assertEqual(world.requests[0].url.raw_path, b"/v1/agents/a%2F..%2Fb")


class CutStream(httpx.SyncByteStream):
    def __init__(self, content: bytes, size: int, breaks: bool) -> None:
        self.content, self.size, self.breaks = content, size, breaks

    def __iter__(self):
        for start in range(0, len(self.content), self.size):
            yield self.content[start : start + self.size]
        if self.breaks:
            raise httpx.ReadError("cut")


class Streams(unittest.TestCase):
    def stream(self, cuts):
        """A run whose stream's connections end after so many bytes each, then one that lives."""
        left = list(cuts)

        def answer(request: httpx.Request, count: int) -> httpx.Response:
            if request.method == "GET" and not request.url.path.endswith("/events"):
                return httpx.Response(200, json={"status": "running"})
            after = int(request.url.params.get("starting_after", -1))
            rest = b"".join(line + b"\n" for line in LINES.split(b"\n")[after + 1 : -1])
            cut = left.pop(0) if left else None
            content = rest if cut is None else rest[:cut]
            return httpx.Response(200, stream=CutStream(content, 7, cut is not None))

        return World(answer)

    def test_a_stream_cut_at_any_byte_is_resumed_without_a_gap_and_without_a_duplicate(self):
        first = LINES.index(b"\n") + 1
        for cut in range(first, len(LINES)):
            world = self.stream([cut, 3, 0, 40])
            self.assertEqual(list(world.client.runs.stream({"input": {}})), LOG, cut)
            self.assertEqual(sum(request.method == "POST" for request in world.requests), 1)

    def test_an_event_that_comes_again_is_dropped_and_one_that_is_left_out_is_asked_for(self):
        lines = LINES.splitlines(keepends=True)
        asked = []

        def answer(request: httpx.Request, count: int) -> httpx.Response:
            if request.method == "GET":
                asked.append(request.url.params["starting_after"])
                return httpx.Response(200, content=b"".join(lines[1:]))
            return httpx.Response(200, content=lines[0] + lines[0] + lines[1] + lines[0] + lines[3])

        world = World(answer)
        self.assertEqual(list(world.client.runs.stream({"input": {}})), LOG)
        self.assertEqual(asked, ["1"])

    def test_a_start_that_breaks_before_its_first_event_is_not_made_twice(self):
        world = self.stream([10])
        with self.assertRaises(lathe.LatheRunUnknownError):
            list(world.client.runs.stream({"input": {}}))
        self.assertEqual(len(world.requests), 1)

    def test_connections_that_bring_nothing_end_in_an_error_that_says_where_to_go_on(self):
        world = self.stream([len(LINES) - 20] + [0] * 30)
        with self.assertRaises(lathe.LatheStreamError) as caught:
            list(world.client.runs.stream({"input": {}}))
        self.assertEqual((caught.exception.run_id, caught.exception.last_sequence_number), (RUN_ID, 2))

    def test_a_stream_is_read_once(self):
        stream = self.stream([]).client.runs.events(RUN_ID)
        self.assertEqual(list(stream), LOG)
        with self.assertRaises(lathe.LatheError):
            list(stream)


def signed(secret: str, timestamp: int, body: bytes) -> dict:
    digest = hmac.new(base64.b64decode(secret[6:]), f"id.{timestamp}.".encode() + body, hashlib.sha256).digest()
    return {"Webhook-Id": "id", "webhook-timestamp": str(timestamp), "webhook-signature": "v1,AAAA v1," + base64.b64encode(digest).decode()}


class Webhooks(unittest.TestCase):
    SECRET = "whsec_" + base64.b64encode(b"k" * 24).decode()
    BODY = json.dumps({"runId": RUN_ID, "status": "completed", "result": {"text": "Grüße"}}, ensure_ascii=False).encode()

    def fault(self, headers, body=None, now=1000.0, secret=None) -> str:
        with self.assertRaises(lathe.LatheWebhookError) as caught:
            lathe.verify_webhook(self.BODY if body is None else body, headers, secret or self.SECRET, now=now)
        return caught.exception.fault

    def test_a_signed_call_is_read_under_either_secret(self):
        headers = signed(self.SECRET, 1000, self.BODY)
        other = "whsec_" + base64.b64encode(b"o" * 24).decode()
        self.assertEqual(lathe.verify_webhook(self.BODY.decode(), headers, [other, self.SECRET], now=1000)["runId"], RUN_ID)

    def test_each_fault_has_its_name(self):
        headers = signed(self.SECRET, 1000, self.BODY)
        self.assertEqual(self.fault({}), "missing_header")
        self.assertEqual(self.fault({**headers, "webhook-timestamp": "x"}), "bad_timestamp")
        self.assertEqual(self.fault(headers, now=1301), "too_old")
        self.assertEqual(self.fault(headers, now=699), "too_new")
        self.assertEqual(self.fault(headers, self.BODY + b" "), "bad_signature")
        self.assertEqual(self.fault(signed(self.SECRET, 1000, b"[]"), b"[]"), "bad_payload")
        for secret in ("", "whsec_", "whsec_!", "x"):
            with self.assertRaises(ValueError):
                lathe.verify_webhook(self.BODY, headers, secret, now=1000)


class BothKinds(unittest.TestCase):
    def test_the_client_for_asyncio_has_every_method_of_the_one_for_threads_with_the_same_parameters(self):
        sync, other = lathe.Lathe("k", "http://service"), lathe.AsyncLathe("k", "http://service")
        nouns = [name for name in vars(sync) if not name.startswith("_")]
        self.assertEqual(nouns, [name for name in vars(other) if not name.startswith("_")])
        self.assertGreater(len(nouns), 15)
        for noun in nouns:
            mine, theirs = getattr(sync, noun), getattr(other, noun)
            names = [name for name in dir(mine) if not name.startswith("_")]
            self.assertEqual(names, [name for name in dir(theirs) if not name.startswith("_")], noun)
            for name in names:
                parameters = [list(inspect.signature(getattr(each, name)).parameters) for each in (mine, theirs)]
                self.assertEqual(*parameters, f"{noun}.{name}")

    def test_every_noun_of_the_document_is_an_attribute(self):
        for client, resources in ((lathe.Lathe, _resources), (lathe.AsyncLathe, _async_resources)):
            classes = {each for each in vars(resources).values() if inspect.isclass(each) and each.__module__ == resources.__name__}
            held = [value for name, value in vars(client("k", "http://service")).items() if not name.startswith("_")]
            self.assertEqual({each for each in classes if not any(isinstance(value, each) for value in held)}, set())
            self.assertGreater(len(classes), 15)

    def test_what_asyncio_cancels_lets_go_of_its_connection(self):
        closed = []
        opened = asyncio.Event()

        class Endless(httpx.AsyncByteStream):
            async def __aiter__(self):
                yield LINES[: LINES.index(b"\n") + 1]
                opened.set()
                await asyncio.Event().wait()

            async def aclose(self):
                closed.append(True)

        async def main():
            transport = httpx.MockTransport(lambda request: httpx.Response(200, stream=Endless()))
            client = lathe.AsyncLathe("k", "http://service", http_client=httpx.AsyncClient(transport=transport))

            async def read():
                async for _ in client.runs.events(RUN_ID):
                    pass

            reading = asyncio.create_task(read())
            await opened.wait()
            reading.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await reading

        asyncio.run(main())
        self.assertEqual(closed, [True])


class Opening(unittest.TestCase):
    def test_key_and_address_come_from_the_environment(self):
        with mock.patch.dict(os.environ, {"LATHE_API_KEY": "svc_sk_env", "LATHE_BASE_URL": "http://service/"}):
            settings = lathe.Lathe()._core.settings
            self.assertEqual((settings.api_key, settings.base_url), ("svc_sk_env", "http://service"))

    def test_what_is_missing_is_said(self):
        with mock.patch.dict(os.environ, {"LATHE_API_KEY": "", "LATHE_BASE_URL": ""}):
            for arguments, word in ((("k",), "LATHE_BASE_URL"), ((None, "http://service"), "LATHE_API_KEY"), (("k", "service"), "http"), (("k\n", "http://s"), "api_key")):
                with self.assertRaisesRegex(ValueError, word):
                    lathe.Lathe(*arguments)


if __name__ == "__main__":
    unittest.main()
