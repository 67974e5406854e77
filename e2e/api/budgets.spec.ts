import { admin } from "../support/admin";
import type { ApiClient } from "../support/api-client";
import { expectError } from "../support/expect-answers";
import { hasInngest } from "../support/inngest-server-of";
import type { ScriptTurn } from "../support/model-script";
import { startRun, waitForRun } from "../support/runs";
import { expect, test } from "../support/test";
import { until } from "../support/until";

/** A turn of 4.2 credits that calls a tool. */
const SPENDING: ScriptTurn = {
  text: "spending",
  tool_calls: [{ name: "todo", fill: true }],
  usage: { input: 4000, output: 100 },
};
const DONE: ScriptTurn = { text: "done", usage: { input: 1000, output: 100 } };

async function waits(api: ApiClient, path: string) {
  return until("the run to reach its budget", async () => {
    const { requires_action: action } = (await api.get(path)).as("Run");
    return action !== null && "required" in action && action;
  });
}

test("a run raised twice is told of each time, and has paid each model call once", async ({
  newAccount,
  script,
  inbox,
}) => {
  const { api } = await newAccount({ credits: 1000 });
  const endpoint = { url: inbox.url, events: ["run.requires_action", "run.completed"] };
  expect((await api.post("/v1/webhook-endpoints", endpoint)).status).toBe(201);
  const one = await script(SPENDING, SPENDING, DONE);
  const { run_id } = await startRun(api, {
    input: { text: one.mark },
    max_credits: 8,
    on_budget: "wait",
  });
  const path = `/v1/runs/${run_id}`;
  const first = await waits(api, path);
  expect(first).toEqual({
    type: "budget",
    spent: 4.2,
    required: expect.any(Number),
    max_credits: 8,
  });
  expectError(await api.patch(path, { max_credits: 7 }), 409, "CONFLICT");
  for (const body of [{}, { max_credits: 0 }, { max_credits: "9" }, { max_credits: 9, more: 1 }])
    expectError(await api.patch(path, body), 400, "INVALID_INPUT");
  const raised = await api.patch(path, { max_credits: first.required });
  expect(raised.status).toBe(200);
  expect(raised.as("Run")).toMatchObject({ status: "running", requires_action: null });
  const second = await waits(api, path);
  expect(second).toMatchObject({ spent: 8.4, max_credits: first.required });
  expect((await api.patch(path, { max_credits: 100 })).status).toBe(200);
  const run = await waitForRun(api, run_id);
  expect(run).toMatchObject({ status: "completed", usage: { credits: 9.6 } });
  expect(await one.calls()).toHaveLength(3);
  expectError(await api.patch(path, { max_credits: 200 }), 409, "RUN_NOT_ACTIVE");
  const usage = (await api.get("/v1/account/usage")).json();
  expect(usage).toMatchObject({ credits: { available: 990.4 } });
  const told = async () => {
    const types = (await inbox.received()).map(
      ({ body }) => (JSON.parse(body) as { type: string }).type,
    );
    // An Inngest server begins deliveries in an order of its own.
    return hasInngest ? types.toSorted().toReversed() : types;
  };
  await expect.poll(told).toEqual(["run.requires_action", "run.requires_action", "run.completed"]);
});

test("an account that is topped up has its waiting run go on by itself", async ({
  newAccount,
  script,
}) => {
  const { api, email } = await newAccount({ credits: 12 });
  const one = await script(SPENDING, SPENDING, DONE);
  const { run_id } = await startRun(api, { input: { text: one.mark }, on_budget: "wait" });
  expect(await waits(api, `/v1/runs/${run_id}`)).toMatchObject({
    type: "credits",
    max_credits: null,
  });
  await admin(["account", "update", "--email", email, "--add-credits", "50"]);
  expect(await waitForRun(api, run_id)).toMatchObject({
    status: "completed",
    usage: { credits: 9.6 },
  });
  expect(await one.calls()).toHaveLength(3);
});
