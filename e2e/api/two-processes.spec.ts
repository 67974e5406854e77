import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { z } from "zod";
import { type AccountOptions, availableMicros, createAccount } from "../support/accounts";
import { admin, openAdminSession } from "../support/admin";
import { ApiClient, type ApiResponse } from "../support/api-client";
import { type SharedAddress, startSharedAddress } from "../support/proxies";
import { expectWholeLog, RunStream } from "../support/run-log";
import { waitForRun } from "../support/runs";
import { type S3Server, startS3Server } from "../support/s3/s3-server";
import { freePort } from "../support/servers";
import { type Service, startService } from "../support/start-service";
import { expect, test } from "../support/test";

// Two server processes on one DATA_DIR of their own: the second joins the first one's database.
// Their files lie in one bucket.
test.describe.configure({ mode: "default" });

const tooDearShape = z.looseObject({ available: z.number(), required: z.number() });
const micros = (credits: number) => Math.round(credits * 1_000_000);

const processes: Service[] = [];
let folder: string;
let s3: S3Server;
let shared: SharedAddress;
let session: Awaited<ReturnType<typeof openAdminSession>> | undefined;
let both: { first: ApiClient; second: ApiClient };

test.beforeAll(async ({ modelUrl }) => {
  folder = await mkdtemp(path.join(tmpdir(), "lathe-two-"));
  s3 = await startS3Server();
  const ports = [await freePort(), await freePort()];
  // An Inngest server knows one address of the functions: of a process alone they would end with
  // it.
  shared = await startSharedAddress(ports);
  const environment = {
    ...s3.environment,
    ...(process.env.E2E_ENGINE === "inngest" ? { PUBLIC_URL: shared.url } : {}),
  };
  for (const [index, port] of ports.entries()) {
    const [dataDir, logFile] = [path.join(folder, "data"), path.join(folder, `${index}.log`)];
    processes.push(await startService({ port, dataDir, modelUrl, logFile, environment }));
  }
  session = await openAdminSession(path.join(folder, "data"));
  both = await accountAtBoth({ credits: 1_000_000 });
});

test.afterAll(async () => {
  await session?.stop();
  await Promise.all(processes.map((each) => each.stop()));
  await shared.stop();
  await s3.stop();
  await rm(folder, { recursive: true, force: true });
});

const environment = () => ({ DATA_DIR: path.join(folder, "data") });

async function accountAtBoth(options: AccountOptions) {
  const [first, second] = processes;
  if (!first || !second) throw new Error("The two processes are not running.");
  const { apiKey, email } = await createAccount(first.baseUrl, options, environment());
  return {
    email,
    first: new ApiClient(first.baseUrl, apiKey),
    second: new ApiClient(second.baseUrl, apiKey),
  };
}

function countOf(answers: ApiResponse[], status: number): number {
  return answers.filter((answer) => answer.status === status).length;
}

/** `count` requests at once, in turn at the one and the other process. */
function atBoth(
  count: number,
  clients: ApiClient[],
  ask: (api: ApiClient, index: number) => Promise<ApiResponse>,
): Promise<ApiResponse[]> {
  return Promise.all(
    clients.flatMap((api, side) =>
      Array.from({ length: count / 2 }, (_, index) => ask(api, index * 2 + side)),
    ),
  );
}

test("of 100 requests at once at two processes exactly the 30 of the budget pass", async () => {
  // The minute begins with the account's first request.
  const { first, second } = await accountAtBoth({ defaultLimits: true });
  const answers = await atBoth(100, [first, second], (api) => api.get("/v1/account/usage"));
  expect([countOf(answers, 200), countOf(answers, 429)]).toEqual([30, 70]);
});

test("the hourly cap of writes is one for both processes", async () => {
  const { first, second } = await accountAtBoth({ writePerHour: 7 });
  const answers = await atBoth(20, [first, second], (api, index) =>
    api.post("/v1/workspaces", { name: `w${index}` }),
  );
  expect([countOf(answers, 201), countOf(answers, 429)]).toEqual([7, 13]);
  expect((await first.get("/v1/workspaces")).as("WorkspacePage").data).toHaveLength(7);
});

test("starts at two processes never spend more than the wallet holds, nor leave runs", async ({
  script,
}) => {
  const { first, second } = await accountAtBoth({ credits: 40 });
  const one = await script(
    ...Array.from({ length: 40 }, () => ({ text: "waits", hold_first: true })),
  );
  const answers = await atBoth(40, [first, second], (api) =>
    api.post("/v1/runs", { input: { text: one.mark } }),
  );
  const accepted = answers.filter((answer) => answer.status === 202);
  const refused = answers
    .filter((answer) => answer.status === 402)
    .map((answer) => answer.fitting(tooDearShape));
  expect(accepted.length + refused.length).toBe(40);
  // Each holds what its first turn costs at least, and more once its model is asked: no more start
  // than the wallet has room for.
  expect(accepted.length).toBeGreaterThan(0);
  expect(accepted.length).toBeLessThanOrEqual(
    Math.floor(micros(40) / micros(refused[0]?.required ?? 0)),
  );
  for (const { available, required } of refused)
    expect(micros(available)).toBeLessThan(micros(required));
  expect((await second.get("/v1/runs", { query: { limit: 100 } })).as("RunPage").data).toHaveLength(
    accepted.length,
  );
  expect(await availableMicros(second)).toBeGreaterThanOrEqual(0);
  const ids = accepted.map((answer) => answer.as("Run").run_id);
  await Promise.all(ids.map((id) => second.post(`/v1/runs/${id}/cancel`)));
  // What was held and not spent is there again, to the last millionth.
  await expect
    .poll(async () => {
      const runs = await Promise.all(
        ids.map(async (id) => (await first.get(`/v1/runs/${id}`)).as("Run")),
      );
      const spent = runs.reduce((sum, run) => sum + micros(run.usage?.credits ?? 0), 0);
      return (await availableMicros(second)) + spent;
    })
    .toBe(micros(40));
});

test("one idempotency key at two processes at once starts one run", async ({ script }) => {
  const one = await script({ text: "Done." });
  const headers = { "idempotency-key": randomUUID() };
  const body = { input: { text: one.mark } };
  const answers = await atBoth(10, [both.first, both.second], (api) =>
    api.post("/v1/runs", body, { headers }),
  );
  const ids = new Set(
    answers.filter((answer) => answer.status === 202).map((answer) => answer.as("Run").run_id),
  );
  expect(ids.size).toBe(1);
  expect(countOf(answers, 202) + countOf(answers, 409)).toBe(10);
  for (const id of ids) expect((await waitForRun(both.second, id)).status).toBe("completed");
  expect(await one.calls()).toHaveLength(1);
});

test("a run streamed at one process is followed live at the other, line by line the same", async ({
  script,
}) => {
  const one = await script({ text: "told in many small pieces", chunk_size: 2, hold_after: 4 });
  const here = await RunStream.start(both.first, { input: { text: one.mark } });
  await here.readTo((line) => line.type === "output_text.delta");
  const there = await RunStream.follow(both.second, here.runId);
  await there.readTo((line) => line.type === "output_text.delta");
  await one.release();
  await Promise.all([here.readAll(), there.readAll()]);
  expect(expectWholeLog(here.lines)).toMatchObject({
    type: "run.completed",
    result: { text: "told in many small pieces" },
  });
  expect(there.numbered).toEqual(here.numbered);
});

test("a cancel at either process aborts the model call within a second's words", async ({
  script,
}) => {
  for (const [starter, canceller] of [
    [both.first, both.second],
    [both.second, both.first],
    [both.first, both.first],
  ] as const) {
    const one = await script({
      text: Array.from({ length: 6_000 }, (_, at) => `word${at} `).join(""),
      chunk_size: 5,
      chunk_delay_ms: 10,
    });
    const stream = await RunStream.start(starter, { input: { text: one.mark } });
    await stream.readTo((line) => line.type === "output_text.delta");
    const said = (await one.calls())[0]?.sent ?? 0;
    expect((await canceller.post(`/v1/runs/${stream.runId}/cancel`)).status).toBe(202);
    // A word every ten milliseconds.
    expect((await one.waitForDisconnect()).sent - said).toBeLessThan(100);
    await stream.readAll();
    expect(expectWholeLog(stream.lines)).toMatchObject({
      type: "run.failed",
      error: { code: "RUN_CANCELLED" },
    });
  }
});

test("a file uploaded at one process is read, replaced and deleted at the other", async () => {
  const { first, second } = both;
  const files =
    "/v1/workspaces/" +
    `${(await first.post("/v1/workspaces", { name: "shared" })).as("Workspace").workspace_id}` +
    "/files";
  const upload = (api: ApiClient, raw: string) =>
    api.post(files, undefined, { raw, query: { path: "a.txt" } });
  const before = s3.countObjects();
  const file = (await upload(first, "0123456789")).as("WorkspaceFile");
  expect(s3.countObjects()).toBe(before + 1);
  const content = `${files}/${file.file_id}/content`;
  const whole = await second.get(content);
  expect([whole.status, whole.text]).toEqual([200, "0123456789"]);
  const part = await second.get(content, { headers: { range: "bytes=2-4" } });
  expect([part.status, part.text, part.header("content-range")]).toEqual([
    206,
    "234",
    "bytes 2-4/10",
  ]);
  expect(
    (await second.get(content, { headers: { "if-none-match": whole.header("etag") ?? "" } }))
      .status,
  ).toBe(304);
  expect((await upload(second, "replaced")).status).toBe(200);
  expect((await first.get(content)).text).toBe("replaced");
  expect((await first.delete(`${files}/${file.file_id}`)).status).toBe(204);
  expect((await second.get(content)).status).toBe(404);
  await expect.poll(() => s3.countObjects()).toBe(before);
});

test("a run reads a workspace's file from the bucket, and links what it wrote there", async ({
  script,
}) => {
  const { first, second } = both;
  const workspace = (await first.post("/v1/workspaces", { name: "data" })).as(
    "Workspace",
  ).workspace_id;
  await first.post(`/v1/workspaces/${workspace}/files`, undefined, {
    raw: "month,rain\nMay,7\n",
    query: { path: "rain.csv" },
  });
  const one = await script(
    { tool_calls: [{ name: "files_read", args: { path: "rain.csv" } }] },
    {
      tool_calls: [
        { name: "artifacts", args: { title: "Rain", name: "rain.md", content: "7 mm" } },
      ],
    },
    { text: "Done." },
  );
  const started = await second.post("/v1/runs", {
    workspace_id: workspace,
    input: { text: one.mark },
  });
  const run = await waitForRun(second, started.as("Run").run_id);
  expect(run.status).toBe("completed");
  expect(JSON.stringify((await one.calls())[1]?.body.messages)).toContain("May,7");
  const link = new URL(run.result?.artifacts?.[0]?.url ?? "");
  expect(await (await fetch(new URL(link.pathname + link.search, first.baseUrl))).text()).toBe(
    "7 mm",
  );
});

/** A process trusts a key that it knows for five seconds, unless it is told. */
const UNTOLD_MS = 5_000;

test("a revoked key is refused at both processes once they are told, for good", async () => {
  const made = await accountAtBoth({});
  const listed = await admin(["key", "list", "--email", made.email], environment());
  expect(
    countOf([await made.first.get("/v1/account"), await made.second.get("/v1/account")], 200),
  ).toBe(2);
  // The operator's command prints the list under `keys`.
  const [key] = listed.keys as { key_id: string }[];
  await admin(["key", "revoke", "--id", key?.key_id ?? ""], environment());
  const refused = async () =>
    countOf([await made.first.get("/v1/account"), await made.second.get("/v1/account")], 401);
  // The word of it is on its way while the command ends: most often it has come by then.
  const since = performance.now();
  await expect.poll(refused, { intervals: [10] }).toBe(2);
  expect(performance.now() - since).toBeLessThan(UNTOLD_MS / 2);
  expect(await refused()).toBe(2);
});

test("kill -9 of one process leaves its runs to the other, which completes each once", async ({
  script,
}) => {
  const one = await script(
    ...Array.from({ length: 12 }, () => ({
      text: "The answer of a run.",
      chunk_size: 4,
      hold_after: 2,
    })),
  );
  const starts = await Promise.all(
    Array.from({ length: 6 }, () => both.second.post("/v1/runs", { input: { text: one.mark } })),
  );
  const ids = starts.map((answer) => answer.as("Run").run_id);
  await one.waitForCalls(6);
  await processes[1]?.kill();
  await one.release();
  for (const id of ids) {
    const run = await waitForRun(both.first, id);
    expect(run).toMatchObject({ status: "completed", result: { text: "The answer of a run." } });
    expectWholeLog(await (await RunStream.follow(both.first, id)).readAll());
  }
});
