import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { askWindows, readWindows } from "@/lib/runtime/models/compatible/windows";

let server: Server;
let base: string;
let answers: Record<string, object>;
let asked: string[];

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(`${request.url} ${request.headers.authorization ?? ""}`.trim());
    const answer = answers[request.url ?? ""];
    response.writeHead(answer ? 200 : 404, { "content-type": "application/json" });
    response.end(JSON.stringify(answer ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
});
beforeEach(() => {
  asked = [];
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

const ask = () => askWindows(base, "k", AbortSignal.timeout(10_000));

test("a server that lists its models with their windows says those alone", async () => {
  answers = {
    "/v1/models": {
      data: [{ id: "a", max_model_len: 8192 }, { id: "b", context_length: 32768 }, { id: "c" }],
    },
  };
  const windowOf = await ask();
  expect(["a", "b", "c", "d"].map(windowOf)).toEqual([8192, 32768, null, null]);
  expect(asked).toEqual(["/v1/models Bearer k"]);
});

test("llama.cpp is asked for what a request of its one model may have", async () => {
  answers = {
    "/v1/models": { data: [{ id: "x.gguf", owned_by: "llamacpp", meta: { n_ctx_train: 131072 } }] },
    "/props": { default_generation_settings: { n_ctx: 4096 } },
  };
  expect((await ask())("any")).toBe(4096);
});

test("a server without a list says nothing", async () => {
  answers = {};
  await expect(ask()).rejects.toThrow("404");
});

test("what the operator says is a number for all models, or one for each", () => {
  expect(readWindows("")("a")).toBeNull();
  expect(readWindows("8192")("a")).toBe(8192);
  const windowOf = readWindows('{"a": 8192}');
  expect([windowOf("a"), windowOf("b")]).toEqual([8192, null]);
  for (const wrong of ["many", "12", '{"a": "8192"}', "[1]"])
    expect(() => readWindows(wrong)).toThrow("OPENAI_COMPATIBLE_WINDOWS cannot be used");
});
