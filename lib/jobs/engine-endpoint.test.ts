import { createHmac } from "node:crypto";
import { afterEach, expect, test } from "vitest";
import { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } from "@/app/api/inngest/route";
import { functions } from "@/lib/jobs/functions";
import { TEST_VARIABLES } from "@/lib/platform/test/test-service";
import { createService, holdService, type Service, type Variables } from "@/lib/service";

// Of what an Inngest server may do, nothing may be done by anybody else: a call by a function's id
// would end, start or repeat another account's work.
const CALL = {
  ctx: { run_id: "r", attempt: 0 },
  event: { data: { run_id: "01939d3b-7c1a-7b60-9f5e-3f7a2c1d0001" } },
  events: [],
  steps: {},
};
const SIGNING_KEY = "signkey-test-0123456789abcdef";
const KEYS = { INNGEST_EVENT_KEY: "event-key", INNGEST_SIGNING_KEY: SIGNING_KEY };
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD"] as const;

const route = { GET, POST, PUT, PATCH, DELETE, OPTIONS, HEAD };
let service: Service;
let release: () => void;
afterEach(async () => {
  await service.close();
  release();
});

/** The engine's path of a service with these settings. */
function load(settings: Variables) {
  service = createService({ ...TEST_VARIABLES, LOG_LEVEL: "silent", ...settings });
  release = holdService(service);
  const ids = functions.flatMap(({ id }) => [`lathe-${id}`, `lathe-${id}-failure`]);
  const ask = (
    method: (typeof METHODS)[number],
    id: string,
    {
      headers = {},
      text = JSON.stringify(CALL),
    }: { headers?: Record<string, string>; text?: string } = {},
  ) =>
    route[method](
      new Request(`http://localhost/api/inngest?fnId=${id}&stepId=step`, {
        method,
        headers: {
          "content-type": "application/json",
          "x-inngest-sync-kind": "in_band",
          ...headers,
        },
        ...(["GET", "HEAD"].includes(method) ? {} : { body: text }),
      }),
    );
  return { ids, ask };
}

test("with the embedded executor the engine's path is like any missing one", async () => {
  const { ids, ask } = load({});
  expect(ids).toContain("lathe-execute-run-failure");
  for (const id of ids)
    for (const method of METHODS) {
      const answer = await ask(method, id);
      expect([id, method, answer.status, await answer.json()]).toMatchObject([
        id,
        method,
        404,
        { error: "NOT_FOUND" },
      ]);
      expect(answer.headers.get("x-request-id")).toBeTruthy();
    }
});

test("with Inngest only what it signed is answered; others learn nothing", async () => {
  const { ids, ask } = load({ ...KEYS, PUBLIC_URL: "https://lathe.example.com" });
  const forged = {
    "x-inngest-signature": `t=${Math.floor(Date.now() / 1000)}&s=${"0".repeat(64)}`,
  };
  for (const id of ids)
    for (const method of METHODS)
      for (const sent of [{}, { headers: forged }, { text: "{broken" }, { text: "" }]) {
        const answer = await ask(method, id, sent);
        const wanted = ["GET", "POST", "PUT"].includes(method)
          ? [401, "AUTHENTICATION_REQUIRED"]
          : [405, "METHOD_NOT_ALLOWED"];
        const text = await answer.text();
        expect([answer.status, JSON.parse(text).error]).toEqual(wanted);
        expect(text).not.toMatch(/stack|node_modules|\.ts|\.js|lathe-/);
      }
});

test("the Inngest server is answered, and told to call the public address", async () => {
  const { ask } = load({ ...KEYS, PUBLIC_URL: "https://lathe.example.com" });
  const text = JSON.stringify({ url: "https://evil.example/api/inngest" });
  const answer = await ask("PUT", "", {
    text,
    headers: { host: "evil.example", "x-inngest-signature": signatureOf(text) },
  });
  const body = await answer.text();
  expect([answer.status, body]).toEqual([
    200,
    expect.stringContaining("https://lathe.example.com/api/inngest"),
  ]);
  expect(body).not.toContain("evil.example");
  expect(answer.headers.get("x-request-id")).toBeTruthy();
});

test("a developer's server, which signs nothing, is believed from this machine only", async () => {
  const { ask } = load({ INNGEST_DEV: "1", INNGEST_BASE_URL: "http://127.0.0.1:9" });
  expect(
    (await ask("GET", "", { headers: { "x-lathe-client-address": "203.0.113.7" } })).status,
  ).toBe(404);
  expect((await ask("GET", "")).status).toBe(404);
  for (const address of ["127.0.0.1", "::/64"])
    expect((await ask("GET", "", { headers: { "x-lathe-client-address": address } })).status).toBe(
      200,
    );
});

test("of an error Inngest is told name and message, redacted, not its place", async () => {
  // Nobody listens there: each step fails by its first look into the database, and a function by
  // what it does beside its steps.
  const { ask } = load({ ...KEYS, DATABASE_URL: "postgresql://lathe@127.0.0.1:9/lathe" });
  const call = async (id: string, name: string, data: object) => {
    // In the order of the alphabet: so the SDK puts what it compares with the signature.
    const event = { data, id: "e", name, ts: 0 };
    const stack = { current: 0, stack: [] };
    const ctx = {
      attempt: 0,
      disable_immediate_execution: false,
      max_attempts: 5,
      run_id: "r",
      stack,
      use_api: false,
    };
    const text = JSON.stringify({ ctx, event, events: [event], steps: {}, version: 2 });
    const answer = await ask("POST", id, {
      text,
      headers: { "x-inngest-signature": signatureOf(text) },
    });
    return { status: answer.status, body: JSON.parse(await answer.text()) as unknown };
  };
  const error = {
    __serialized: true,
    name: "Error",
    message: "connect ECONNREFUSED [redacted]",
    stack: "",
  };
  const data = {
    account_id: "01939d3b-7c1a-7b60-9f5e-3f7a2c1d0002",
    run_id: "01939d3b-7c1a-7b60-9f5e-3f7a2c1d0001",
  };
  expect(await call("lathe-execute-run", "run/accepted", data)).toEqual({
    status: 206,
    body: [expect.objectContaining({ op: "StepError", displayName: "turn-0", error })],
  });
  const failed = { error: { message: "m", name: "Error" }, event: { data } };
  expect(await call("lathe-execute-run-failure", "inngest/function.failed", failed)).toEqual({
    status: 500,
    body: error,
  });
});

/** As Inngest signs: HMAC-SHA256 of the body and the second, by the key without its prefix. */
function signatureOf(text: string): string {
  const second = String(Math.floor(Date.now() / 1000));
  const mac = createHmac("sha256", SIGNING_KEY.replace(/^signkey-\w+-/, ""))
    .update(text)
    .update(second)
    .digest("hex");
  return `t=${second}&s=${mac}`;
}
