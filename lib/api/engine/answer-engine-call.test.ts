import { expect, test } from "vitest";
import { answerEngineCall } from "@/lib/api/engine/answer-engine-call";

const endpoint = { handle: async () => Response.json({ functions: [] }), isSigned: false };

test("a developer's engine, unsigned, is answered from this machine, by no proxy", async () => {
  const call = (headers: Record<string, string>) =>
    answerEngineCall(new Request("http://localhost/api/inngest", { headers }), endpoint).then(
      ({ status }) => status,
    );
  expect(await call({ "x-lathe-client-address": "127.0.0.1" })).toBe(200);
  expect(await call({ "x-lathe-client-address": "::/64" })).toBe(200);
  expect(await call({ "x-lathe-client-address": "203.0.113.7" })).toBe(404);
  expect(await call({})).toBe(404);
  expect(await call({ "x-lathe-client-address": "127.0.0.1", "x-lathe-forwarded": "1" })).toBe(404);
});
