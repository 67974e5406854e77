"""Does what the end-to-end tests ask of the client, one JSON object a line on standard input and output, so that it is held to the same cases as the TypeScript client.

`python driver.py sync|async`. A request is `{id, do, ...}`; the answer `{id, ok}` or `{id, error}`. Bytes go as `{"$bytes": base64}`.
"""

from __future__ import annotations

import asyncio
import base64
import inspect
import json
import re
import sys
from typing import Any, Dict

import lathe_client as lathe

NONE = object()


class Driver:
    def __init__(self, kind: str) -> None:
        self.make = lathe.AsyncLathe if kind == "async" else lathe.Lathe
        self.clients: Dict[str, Any] = {}
        self.iterators: Dict[str, Any] = {}

    async def do(self, asked: Dict[str, Any]) -> Any:
        what = asked["do"]
        if what == "open":
            self.clients[asked["client"]] = self.make(**to_keywords(asked["options"]))
            return None
        if what == "verify":
            return lathe.verify_webhook(asked["payload"], asked["headers"], asked["secret"])
        if what == "next":
            return await self.next(self.iterators[asked["iterator"]])
        found: Any = self.clients[asked["client"]]
        for name in asked["name"].split("."):
            found = getattr(found, to_snake(name))
        result = found(*from_json(asked["args"]), **to_keywords(asked["options"]))
        if what == "call":
            return await result if inspect.isawaitable(result) else result
        self.iterators[asked["iterator"]] = result.__aiter__() if hasattr(result, "__aiter__") else iter(result)
        return None

    async def next(self, iterator: Any) -> Any:
        if hasattr(iterator, "__anext__"):
            value = await anext(iterator, NONE)
        else:
            value = next(iterator, NONE)
        return {"done": True} if value is NONE else {"done": False, "value": value}


def to_snake(name: str) -> str:
    return {"import": "import_document"}.get(name) or re.sub("[A-Z]", lambda letter: "_" + letter.group().lower(), name)


def to_keywords(options: Dict[str, Any]) -> Dict[str, Any]:
    """The options in the words of Python, whose times are in seconds."""
    keywords = {}
    for name, value in options.items():
        in_ms = name.endswith("Ms")
        keywords[to_snake(name[:-2] if in_ms else name)] = value / 1000 if in_ms else value
    return keywords


def from_json(value: Any) -> Any:
    if isinstance(value, dict) and "$bytes" in value:
        return base64.b64decode(value["$bytes"])
    return [from_json(each) for each in value] if isinstance(value, list) else value


def to_json(value: Any) -> Any:
    return {"$bytes": base64.b64encode(value).decode()} if isinstance(value, bytes) else value


def describe(error: Exception) -> Dict[str, Any]:
    names = ("status", "code", "details", "request_id", "run_id", "last_sequence_number", "fault")
    facts = {name: getattr(error, name) for name in names if hasattr(error, name)}
    return {"name": type(error).__name__, "message": str(error), **facts}


async def main() -> None:
    driver = Driver(sys.argv[1])
    loop = asyncio.get_running_loop()
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        asked = json.loads(line)
        try:
            answer = {"ok": to_json(await driver.do(asked))}
        except Exception as error:
            answer = {"error": describe(error)}
        print(json.dumps({"id": asked["id"], **answer}), flush=True)


asyncio.run(main())
