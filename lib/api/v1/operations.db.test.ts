import { afterAll, beforeAll, expect, test } from "vitest";
import { type ApiSurface, dispatch } from "@/lib/api/http/dispatch";
import { Router } from "@/lib/api/http/router";
import { V1_OPERATIONS } from "@/lib/api/v1/operations";
import { requestAgentEdit } from "@/lib/domain/builds/request-agent-edit";
import type { Principal } from "@/lib/domain/principal";
import { cancelRun } from "@/lib/domain/runs/cancel-run";
import { type AccountObjects, makeAccountObjects } from "@/lib/domain/test/account-objects";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { newAgent } from "@/lib/domain/test/new-agent";
import { newId } from "@/lib/platform/ids";

let database: DomainDatabase;
let owner: Principal;
let objects: AccountObjects;

beforeAll(async () => {
  database = await openDomainDatabase({
    env: {
      CHECK_RESPONSES: "true",
      SIGNING_SECRET: "s".repeat(32),
      ENCRYPTION_KEYS: JSON.stringify([{ id: "k1", key: Buffer.alloc(32, 7).toString("base64") }]),
    },
  });
  owner = await database.account();
  objects = await makeAccountObjects(owner);
});
afterAll(() => database.close());

/** What the operation of this method and path answers to the owner. */
async function ask(call: string, body?: unknown, headers: Record<string, string> = {}) {
  const [method = "", path = ""] = call.split(" ");
  const surface: ApiSurface = {
    router: new Router(V1_OPERATIONS),
    toPath: (pathname) => pathname,
    authenticate: async () => ({ principal: owner, budget: null }),
  };
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const type = typeof body === "string" ? "application/octet-stream" : "application/json";
  const request = new Request(`http://api.example/v1${path}`, {
    method,
    headers: { ...(body !== undefined && { "content-type": type }), ...headers },
    ...(body !== undefined && { body: text }),
  });
  const response = await dispatch(surface, request);
  const answer = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json");
  return {
    status: response.status,
    body: isJson ? JSON.parse(answer) : answer,
    location: response.headers.get("location"),
  };
}

test("a workspace's agents and files come and go as the answers say", async () => {
  const { workspaceId, agent } = objects;
  const agents = `/workspaces/${workspaceId}/agents`;
  const namesOf = async () =>
    (await ask(`GET ${agents}`)).body.data.map(({ agent_id }: { agent_id: string }) => agent_id);
  expect(await namesOf()).toEqual([agent.id]);
  for (const times of [1, 2]) {
    expect(await ask(`DELETE ${agents}/${agent.id}`), `${times}`).toEqual({
      status: 204,
      body: "",
      location: null,
    });
    expect(await namesOf()).toEqual([]);
  }
  expect(await ask(`PUT ${agents}/${agent.id}`)).toEqual({ status: 204, body: "", location: null });
  expect(await namesOf()).toEqual([agent.id]);
  const files = `/workspaces/${workspaceId}/files`;
  const made = await ask(`POST ${files}?path=data/a.txt`, "one");
  expect([made.status, made.body.path, made.body.name, made.body.size_bytes]).toEqual([
    201,
    "data/a.txt",
    "a.txt",
    3,
  ]);
  expect(made.location).toBe(`/v1${files}/${made.body.file_id}`);
  const replaced = await ask(`POST ${files}?path=data/a.txt`, "three");
  expect([replaced.status, replaced.body.file_id, replaced.body.size_bytes]).toEqual([
    200,
    made.body.file_id,
    5,
  ]);
  expect((await ask(`GET ${files}/${made.body.file_id}/content`)).body).toBe("three");
  expect(await ask(`DELETE ${files}/${made.body.file_id}`)).toEqual({
    status: 204,
    body: "",
    location: null,
  });
  expect((await ask(`GET ${files}/${made.body.file_id}`)).body.error).toBe("FILE_NOT_FOUND");
});

test("a skill is switched off and on", async () => {
  const path = `/skills/${objects.skillId}`;
  const { status, body } = await ask(`GET ${path}`);
  expect([status, body.enabled]).toEqual([200, true]);
  for (const [act, enabled] of [
    ["disable", false],
    ["enable", true],
  ] as const) {
    const switched = await ask(`POST ${path}/${act}`);
    expect([
      switched.status,
      switched.body.enabled,
      (await ask(`GET ${path}`)).body.enabled,
    ]).toEqual([200, enabled, enabled]);
  }
});

test("a run shows input and transcript where asked, and events as lines or pages", async () => {
  const path = `/runs/${objects.runId}`;
  const plain = (await ask(`GET ${path}`)).body;
  expect([plain.run_id, "input" in plain, "raw_output" in plain.result]).toEqual([
    objects.runId,
    false,
    false,
  ]);
  const whole = (await ask(`GET ${path}?raw_output=true&include_input=true`)).body;
  expect([whole.input, "raw_output" in whole.result]).toEqual([{}, true]);
  const page = await ask(`GET ${path}/events?starting_after=1`, undefined, {
    accept: "application/json",
  });
  expect([page.status, page.body.data, page.body.has_more]).toEqual([200, [], false]);
  for (const accept of ["*/*", "application/x-ndjson, application/json"]) {
    const lines = await ask(`GET ${path}/events`, undefined, { accept });
    expect([lines.status, String(lines.body).trim().split("\n").length]).toEqual([200, 2]);
  }
  const ended = await ask(`POST ${path}/cancel`);
  expect([ended.status, ended.body.status]).toEqual([200, "completed"]);
});

test("a run and a schedule name a version in each of its ways, and say which it was", async () => {
  const { agent_id, current_version_id } = (
    await ask("POST /agents/import", "kind: agent\nformat: 1\nname: N\nskill_content: S\n", {
      "content-type": "application/yaml",
    })
  ).body;
  for (const version of ["1.0.0", current_version_id, 1]) {
    const run = await ask("POST /runs", { agent_id, input: {}, version });
    expect([run.status, run.body.agent_version]).toEqual([202, 1]);
    const made = await ask(`POST /agents/${agent_id}/schedules`, { cron: "0 9 1 1 *", version });
    expect([made.status, made.body.version, made.body.agent_version]).toEqual([201, version, 1]);
  }
  const refused = async (body: object, call = "POST /runs") => {
    const { status, body: answer } = await ask(call, body);
    return [status, answer.error, answer.details?.[0]?.path];
  };
  const missing = [404, "VERSION_NOT_FOUND", undefined];
  for (const version of ["9.9.9", agent_id, 2]) {
    expect(await refused({ agent_id, input: {}, version })).toEqual(missing);
    expect(
      await refused({ cron: "0 9 1 1 *", version }, `POST /agents/${agent_id}/schedules`),
    ).toEqual(missing);
  }
  const malformed = [400, "INVALID_INPUT", "version"];
  for (const version of ["", "x".repeat(65), 0, 1.5, null, true])
    expect(await refused({ agent_id, input: {}, version })).toEqual(malformed);
  expect(await refused({ input: {}, version: 1 })).toEqual(malformed);
});

test("a schedule is bounded, told, fired by hand once a key, and lists its firings", async () => {
  const collection = `/agents/${objects.agent.id}/schedules`;
  const bounds = { max_credits: 25.5, webhook_url: "https://93.184.215.14/hook" };
  const { body: made } = await ask(`POST ${collection}`, { cron: "0 9 1 1 *", ...bounds });
  expect(made).toMatchObject({
    ...bounds,
    version: null,
    agent_version: null,
    failures: 0,
    paused_at: null,
    paused_reason: null,
  });
  const path = `${collection}/${made.schedule_id}`;
  const key = { "idempotency-key": "once" };
  const fired = await ask(`POST ${path}/run`, undefined, key);
  expect([fired.status, fired.location]).toEqual([202, `/v1/runs/${fired.body.run_id}`]);
  expect((await ask(`POST ${path}/run`, undefined, key)).body.run_id).toBe(fired.body.run_id);
  const other = await ask(`POST ${path}/run`);
  const first = await ask(`GET ${path}/firings?limit=1`);
  expect(first.body).toMatchObject({
    has_more: true,
    data: [
      {
        schedule_id: made.schedule_id,
        trigger: "manual",
        outcome: "started",
        run_id: other.body.run_id,
        run_status: "pending",
        error: null,
      },
    ],
  });
  const rest = await ask(`GET ${path}/firings?cursor=${first.body.next_cursor}`);
  expect(rest.body.data.map(({ run_id }: { run_id: string }) => run_id)).toEqual([
    fired.body.run_id,
  ]);
  const free = { version: null, max_credits: null, webhook_url: null };
  expect((await ask(`PATCH ${path}`, free)).body).toMatchObject(free);
  for (const webhook_url of ["http://127.0.0.1:1/x", "ftp://x.test", ""])
    expect((await ask(`PATCH ${path}`, { webhook_url })).body.details[0].path).toBe("webhook_url");
  expect((await ask(`PATCH ${path}`, { max_credits: 0 })).body.details[0].path).toBe("max_credits");
  expect((await ask(`DELETE ${path}`)).status).toBe(204);
});

test("what is deleted answers 204 and is not found any more", async () => {
  const { agent, scheduleId, skillId, secretName, artifactId, runId, conversationId, workspaceId } =
    objects;
  const schedules = `/agents/${agent.id}/schedules`;
  expect((await ask(`GET ${schedules}`)).body.data).toHaveLength(1);
  for (const path of [
    `${schedules}/${scheduleId}`,
    `/skills/${skillId}`,
    `/secrets/${secretName}`,
    `/artifacts/${artifactId}`,
    `/runs/${runId}`,
    `/conversations/${conversationId}`,
    `/workspaces/${workspaceId}`,
  ]) {
    expect(await ask(`DELETE ${path}`), path).toEqual({ status: 204, body: "", location: null });
    expect((await ask(`DELETE ${path}`)).status, path).toBe(404);
  }
  expect((await ask(`GET ${schedules}`)).body.data).toEqual([]);
  expect(await ask(`DELETE /agents/${agent.id}`)).toEqual({
    status: 204,
    body: "",
    location: null,
  });
  const archived = (await ask("GET /agents?status=archived")).body.data.map(
    ({ agent_id }: { agent_id: string }) => agent_id,
  );
  expect(archived).toEqual([agent.id]);
});

test("an endpoint's secret is rotated bodiless, as the account's: both sign a day", async () => {
  const made = await ask("POST /webhook-endpoints", {
    url: "https://hooks.invalid/x",
    events: ["run.failed"],
  });
  expect(made.status).toBe(201);
  const path = `POST /webhook-endpoints/${made.body.endpoint_id}/rotate-secret`;
  for (const body of [undefined, {}, { overlap_minutes: 60 }]) {
    const rotated = await ask(path, body);
    expect([rotated.status, rotated.body.secret]).toEqual([200, expect.stringMatching(/^whsec_/)]);
  }
  expect((await ask("POST /account/webhook-secret/rotate")).status).toBe(200);
});

test("the account's events come from the oldest by -1, as a run's by 0 or nothing", async () => {
  await database.pool.query(
    `INSERT INTO account_events (id, account_id, type, data)
     VALUES ($1, $2, 'run.failed', jsonb_build_object('run_id', $3::text))`,
    [newId(), owner.accountId, objects.runId],
  );
  const plain = (await ask("GET /events")).body;
  expect(plain.data.length).toBeGreaterThan(0);
  for (const after of ["-1", "0"])
    expect((await ask(`GET /events?starting_after=${after}`)).body).toEqual(plain);
  for (const after of ["-2", "1.5", ""])
    expect([after, (await ask(`GET /events?starting_after=${after}`)).status]).toEqual([
      after,
      400,
    ]);
});

test("a table of usage is asked for by its media type in any case", async () => {
  const { status, body } = await ask("GET /account/usage", undefined, { accept: "Text/CSV" });
  expect([status, String(body).split("\r\n")[0]]).toEqual([
    200,
    "day,credits,runs,input_tokens,output_tokens,cached_input_tokens",
  ]);
});

test("an edit says what it did once it has ended, as its run does", async () => {
  const agent = await newAgent(owner);
  const edit = await requestAgentEdit(owner, agent.id, {
    text: "Rename it.",
    conversationId: null,
    webhookUrl: null,
    releaseNote: null,
  });
  if ("replayed" in edit) throw new Error("there is no key to replay");
  const paths = [`GET /agents/${agent.id}/edits/${edit.id}`, `GET /runs/${edit.id}`];
  const actionsOf = async (path: string) => {
    const { status, body } = await ask(path);
    return [status, body.actions, body.actions_truncated];
  };
  for (const path of paths) expect(await actionsOf(path)).toEqual([200, undefined, undefined]);
  await cancelRun(owner, edit.id);
  for (const path of paths) expect(await actionsOf(path)).toEqual([200, [], false]);
});
