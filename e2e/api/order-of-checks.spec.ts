import { randomUUID } from "node:crypto";
import { admin } from "../support/admin";
import { expectError } from "../support/expect-answers";
import { startRun } from "../support/runs";
import { expect, test } from "../support/test";
import { UNKNOWN_ID } from "../support/unknown-ids";

// Contract §1, "Order of checks": each test breaks two neighbouring rules at once and sees which
// one answers.

test("the key is checked before the body's size and shape", async ({ anonymous }) => {
  const headers = { "content-type": "application/json" };
  expectError(
    await anonymous.post("/v1/runs", undefined, { raw: "{", headers }),
    401,
    "AUTHENTICATION_REQUIRED",
  );
  expectError(
    await anonymous.post("/v1/runs", undefined, { raw: " ".repeat(1_048_577), headers }),
    401,
    "AUTHENTICATION_REQUIRED",
  );
});

test("the minute's budget is checked before the shape, and a refused shape counts", async ({
  newAccount,
}) => {
  const { api } = await newAccount({ runsPerMinute: 1 });
  expectError(await api.post("/v1/runs", { surprise: 1 }), 400, "INVALID_INPUT");
  expectError(await api.post("/v1/runs", { surprise: 1 }), 429, "RATE_LIMITED");
});

test("the body's size is checked before its shape", async ({ api }) => {
  const raw = `{"surprise":"${"x".repeat(1_048_576)}"}`;
  expectError(
    await api.post("/v1/runs", undefined, { raw, headers: { "content-type": "application/json" } }),
    413,
    "PAYLOAD_TOO_LARGE",
  );
});

test("checked are the shape, then ownership, then the block, then credits, in order", async ({
  newAccount,
  script,
}) => {
  const { api, email } = await newAccount({ credits: 0 });
  const one = await script({ text: "never" });
  await admin(["account", "update", "--email", email, "--blocked", "true"]);
  expectError(await api.post("/v1/runs", { agent_id: UNKNOWN_ID, input: 1 }), 400, "INVALID_INPUT");
  expectError(
    await api.post("/v1/runs", { agent_id: UNKNOWN_ID, input: {} }),
    404,
    "AGENT_NOT_FOUND",
  );
  for (const path of ["/v1/runs", "/v1/realtime/runs"])
    expectError(await api.post(path, { input: { text: one.mark } }), 403, "ACCOUNT_BLOCKED");
  expectError(await api.post("/v1/agents", { input: one.mark }), 403, "ACCOUNT_BLOCKED");
  expect((await api.get("/v1/runs")).json()).toMatchObject({ data: [] });
  expect(await one.calls()).toEqual([]);
  expect((await api.post("/v1/workspaces", { name: "still allowed" })).status).toBe(201);
  await admin(["account", "update", "--email", email, "--blocked", "false"]);
  await expect.poll(async () => (await api.post("/v1/runs", { input: {} })).status).toBe(402);
});

test("an idempotent replay is answered before the block is looked at", async ({
  newAccount,
  script,
}) => {
  const { api, email } = await newAccount();
  const one = await script({ text: "done" });
  const headers = { "idempotency-key": randomUUID() };
  const body = { input: { text: one.mark } };
  const first = await api.post("/v1/runs", body, { headers });
  expect(first.status).toBe(202);
  await admin(["account", "update", "--email", email, "--blocked", "true"]);
  await expect.poll(async () => (await api.post("/v1/runs", { input: {} })).status).toBe(403);
  const again = await api.post("/v1/runs", body, { headers });
  expect([again.status, again.text]).toEqual([202, first.text]);
});

test("the hourly write cap is checked before credits", async ({ newAccount }) => {
  const { api } = await newAccount({ credits: 0, writePerHour: 1 });
  expect((await api.post("/v1/workspaces", { name: "the hour's one write" })).status).toBe(201);
  expectError(await api.post("/v1/agents", { input: "An agent, please." }), 429, "RATE_LIMITED");
});

test("a busy conversation is checked before credits", async ({ newAccount, script }) => {
  const { api, email } = await newAccount({ credits: 100 });
  const held = await script({ text: "later", hold_first: true });
  const run = await startRun(api, { input: { text: held.mark } });
  await admin(["account", "update", "--email", email, "--credits", "0"]);
  const body = { input: {}, conversation_id: run.conversation_id };
  expectError(await api.post("/v1/runs", body), 409, "CONVERSATION_BUSY");
  expectError(await api.post("/v1/runs", { input: {} }), 402, "INSUFFICIENT_CREDITS");
  await held.release();
});
