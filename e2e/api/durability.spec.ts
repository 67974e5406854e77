import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { createClient } from "@/lib/client/lathe-client";
import type { RunEvent } from "@/lib/client/schemas";
import { availableMicros, createAccount } from "../support/accounts";
import { parseServed } from "../support/api-document";
import { ModelScript } from "../support/model-script";
import { expectWholeLog, lastMessageText, RunStream } from "../support/run-log";
import { waitForRun } from "../support/runs";
import { freePort } from "../support/servers";
import { type Service, startService } from "../support/start-service";
import { until } from "../support/until";

const CREDITS = 1000;
const ANSWER =
  "An answer that is long enough to be cut in the middle by the end of its server, and is told " +
  "again.";

let dataDir: string;
let service: Service | null = null;

test.beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), "lathe-durability-"));
});
test.afterEach(async () => {
  await service?.stop();
  service = null;
  await rm(dataDir, { recursive: true, force: true });
});

function start(port: number): Promise<Service> {
  const modelUrl = process.env.E2E_MODEL_URL ?? "";
  return startService({
    port,
    dataDir: path.join(dataDir, "data"),
    modelUrl,
    logFile: `${dataDir}.log`,
  });
}

test("kill -9 amid a streamed run loses nothing: it completes once, whole", async () => {
  const port = await freePort();
  service = await start(port);
  const { api } = await createAccount(
    service.baseUrl,
    { credits: CREDITS },
    { DATA_DIR: path.join(dataDir, "data") },
  );
  const one = await ModelScript.register(process.env.E2E_MODEL_URL ?? "", [
    {
      text: "First, a plan.",
      tool_calls: [{ name: "todo", fill: true }],
      usage: { input: 1000, output: 100 },
    },
    { text: ANSWER, chunk_size: 6, hold_after: 5, usage: { input: 2000, output: 200 } },
  ]);
  const stream = await RunStream.start(api, { input: { text: one.mark } });
  await one.waitForCalls(2);
  await stream.readTo((line) => line.type === "output_text.delta" && ANSWER.startsWith(line.delta));
  const seen = stream.numbered.length;
  await service.kill();
  await stream.readAll().catch(() => undefined); // the connection broke with its server
  await one.release();
  service = await start(port);
  const run = await waitForRun(api, stream.runId);
  expect(run).toMatchObject({ status: "completed", result: { text: ANSWER } });
  const after = await RunStream.follow(api, stream.runId);
  await after.readAll();
  expect(expectWholeLog(after.lines)).toMatchObject({
    type: "run.completed",
    result: { text: ANSWER },
  });
  expect(after.lines.slice(0, seen)).toEqual(stream.numbered.slice(0, seen));
  expect(lastMessageText(after.lines)).toBe(ANSWER);
  // The first turn was done and paid before the kill; only the one in flight may be asked again.
  expect(await one.calls()).toHaveLength(3);
  const used = Math.round((run.usage?.credits ?? 0) * 1_000_000);
  expect(CREDITS * 1_000_000 - (await availableMicros(api))).toBe(used);
  expect(used).toBeGreaterThanOrEqual(1_200_000 + 2_400_000);
  expect(used).toBeLessThanOrEqual(1_200_000 + 2 * 2_400_000);
});

test("SIGTERM amid a run ends the server in time, and the client reads on later", async () => {
  const port = await freePort();
  service = await start(port);
  const { api, apiKey } = await createAccount(
    service.baseUrl,
    { credits: CREDITS },
    { DATA_DIR: path.join(dataDir, "data") },
  );
  const one = await ModelScript.register(process.env.E2E_MODEL_URL ?? "", [
    { text: ANSWER, chunk_size: 6, hold_after: 5 },
  ]);
  // A busy machine may take long to start the service again.
  const client = createClient({ apiKey, baseUrl: service.baseUrl, maxReconnects: 60 });
  const stream = client.runs.stream({ input: { text: one.mark } });
  const lines: RunEvent[] = [];
  const reading = (async () => {
    for await (const event of stream) lines.push(await parseServed(api, "RunEvent", event));
  })();
  await until("the first words", async () =>
    lines.some((line) => line.type === "output_text.delta"),
  );
  await service.stop();
  await one.release();
  service = await start(port);
  await reading;
  expect(expectWholeLog(lines)).toMatchObject({ type: "run.completed", result: { text: ANSWER } });
  expect(lastMessageText(lines)).toBe(ANSWER);
  expect(await waitForRun(api, stream.runId ?? "")).toMatchObject({
    status: "completed",
    result: { text: ANSWER },
  });
});
