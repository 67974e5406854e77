import type { paths } from "@/lib/client/lathe-client";
import type { Run } from "@/lib/client/schemas";
import { expectError } from "../support/expect-answers";
import { startRun, waitForRun } from "../support/runs";
import { expect, test } from "../support/test";
import { MALFORMED_IDS, UNKNOWN_IDS } from "../support/unknown-ids";

type Filter = NonNullable<paths["/v1/runs"]["get"]["parameters"]["query"]>;

const ids = (rows: Run[]) => rows.map((row) => row.run_id);

test("the list is newest first, 20 rows by default, in pages that stay whole as runs come", async ({
  newAccount,
  script,
}) => {
  const { api } = await newAccount();
  const one = await script({ text: "ok" });
  const made: string[] = [];
  for (let count = 0; count < 23; count += 1)
    made.unshift((await startRun(api, { input: { text: one.mark } })).run_id);
  const whole = (await api.get("/v1/runs")).as("RunPage");
  expect(ids(whole.data)).toEqual(made.slice(0, 20));
  expect(whole.has_more).toBe(true);
  const found: string[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const query: Record<string, string | number> = cursor ? { limit: 5, cursor } : { limit: 5 };
    const page = (await api.get("/v1/runs", { query })).as("RunPage");
    found.push(...ids(page.data));
    expect(page.has_more).toBe(page.next_cursor !== null);
    cursor = page.next_cursor;
    await startRun(api, { input: { text: one.mark } });
  }
  expect(found).toEqual(made);
});

test("the list's filters hold, one by one and together", async ({
  newAccount,
  newAgent,
  script,
}) => {
  const { api, client } = await newAccount();
  const agent = await newAgent({}, api);
  const [good, bad, held] = [
    await script({ text: "ok" }),
    await script({ status: 400 }),
    await script({ text: "ok", hold_first: true }),
  ];
  const completed = await waitForRun(
    api,
    (
      await startRun(api, {
        agent_id: agent.agent_id,
        input: { text: good.mark },
        metadata: { tag: "a b&c" },
      })
    ).run_id,
  );
  const failed = await waitForRun(api, (await startRun(api, { input: { text: bad.mark } })).run_id);
  const running = await startRun(api, { input: { text: held.mark } });
  await held.waitForCalls(1);
  const list = async (query: Filter) =>
    (await client.get("/v1/runs", { params: { query } })).data.map((row) => row.run_id);
  expect(await list({ status: "failed" })).toEqual([failed.run_id]);
  expect(await list({ status: "running" })).toEqual([running.run_id]);
  expect(await list({ status: "failed,running" })).toEqual([running.run_id, failed.run_id]);
  expect(await list({ status: "cancelled" })).toEqual([]);
  expect(await list({ agent_id: agent.agent_id, status: "completed" })).toContain(completed.run_id);
  expect(await list({ agent_id: agent.agent_id })).not.toContain(failed.run_id);
  expect(await list({ conversation_id: String(failed.conversation_id) })).toEqual([failed.run_id]);
  expect(await list({ metadata: { tag: "a b&c" } })).toEqual([completed.run_id]);
  expect(await list({ metadata: { tag: "a" } })).toEqual([]);
  expect(
    await list({ created_after: running.created_at, created_before: completed.created_at }),
  ).toEqual([]);
  expect(
    await list({
      created_before: new Date(Date.parse(completed.created_at) - 60_000).toISOString(),
    }),
  ).toEqual([]);
  await held.release();
});

test("all kinds of an account's runs are listed, creations too", async ({
  newAccount,
  newAgent,
}) => {
  const { api } = await newAccount();
  await newAgent({}, api);
  const [row] = (await api.get("/v1/runs")).as("RunPage").data;
  expect(row).toMatchObject({ kind: "agent_creation", status: "completed" });
});

for (const query of [
  { status: "sleeping" },
  { status: "completed,sleeping" },
  { status: "queued" },
  { agent_id: "42" },
  { conversation_id: "42" },
  { created_after: "yesterday" },
  { created_before: "2026-13-01T00:00:00Z" },
  { limit: "0" },
  { limit: "101" },
  { limit: "-1" },
  { limit: "ten" },
  { cursor: "nonsense" },
  { cursor: "'; --" },
]) {
  test(`a bad filter is refused and named: ${JSON.stringify(query)}`, async ({ api }) => {
    const { details } = expectError(await api.get("/v1/runs", { query }), 400, "INVALID_INPUT");
    // A list of statuses may name its bad one: `status.1`.
    expect(details?.map((detail) => detail.path.split(".")[0])).toContain(Object.keys(query)[0]);
  });
}

test("unknown query keys are ignored, on lists and on a single run", async ({ api, script }) => {
  const one = await script({ text: "ok" });
  const run = await startRun(api, { input: { text: one.mark } });
  expect((await api.get("/v1/runs", { query: { surprise: "1" } })).status).toBe(200);
  expect((await api.get(`/v1/runs/${run.run_id}`, { query: { surprise: "1" } })).status).toBe(200);
});

test("a malformed run id answers 400, a well-formed missing one 404, on every route", async ({
  api,
}) => {
  for (const [method, suffix] of [
    ["GET", ""],
    ["GET", "/events"],
    ["POST", "/cancel"],
  ] as const) {
    for (const id of MALFORMED_IDS)
      expectError(
        await api.request(method, `/v1/runs/${id}${suffix}`),
        400,
        "INVALID_INPUT",
        "run_id",
      );
    for (const id of UNKNOWN_IDS)
      expectError(await api.request(method, `/v1/runs/${id}${suffix}`), 404, "RUN_NOT_FOUND");
  }
});

test("raw_output=true adds the whole transcript, earlier turns and all; else none", async ({
  api,
  script,
}) => {
  const one = await script(
    { text: "First I make a list.", tool_calls: [{ name: "todo", fill: true }] },
    { text: "All is done." },
  );
  const run = await waitForRun(api, (await startRun(api, { input: { text: one.mark } })).run_id);
  expect(run.result).toMatchObject({ text: "All is done." });
  expect(run.result).not.toHaveProperty("raw_output");
  const raw = (await api.get(`/v1/runs/${run.run_id}`, { query: { raw_output: "true" } })).as(
    "Run",
  );
  expect(raw.result?.raw_output).toContain("First I make a list.");
  expect(raw.result?.raw_output).toContain("All is done.");
  expect(
    (await api.get(`/v1/runs/${run.run_id}`, { query: { raw_output: "false" } })).as("Run").result,
  ).not.toHaveProperty("raw_output");
  expectError(
    await api.get(`/v1/runs/${run.run_id}`, { query: { raw_output: "maybe" } }),
    400,
    "INVALID_INPUT",
    "raw_output",
  );
});

test("a run fetched with include_input has its input as given; without, as in lists, not", async ({
  api,
  script,
}) => {
  const { mark } = await script({ text: "ok" });
  const input = { topic: mark, nested: { list: [1, null, "ü"] } };
  const run = await startRun(api, { input });
  expect(
    (await api.get(`/v1/runs/${run.run_id}`, { query: { include_input: "true" } })).json(),
  ).toMatchObject({ input });
  expect((await api.get(`/v1/runs/${run.run_id}`)).json()).not.toHaveProperty("input");
  expectError(
    await api.get(`/v1/runs/${run.run_id}`, { query: { include_input: "1" } }),
    400,
    "INVALID_INPUT",
    "include_input",
  );
  for (const row of (await api.get("/v1/runs")).as("RunPage").data)
    expect(row).not.toHaveProperty("input");
});
