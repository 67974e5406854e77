import { createHash } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { mediaPort } from "@/lib/domain/execution/tools/tool-ports";
import { readRunTrace } from "@/lib/domain/execution/trace/read-run-trace";
import { models } from "@/lib/domain/models/models";
import type { Principal } from "@/lib/domain/principal";
import { callTool, loadRun, raiseRunLimit, requestBudget, runTurn } from "@/lib/domain/run-steps";
import { getRun, type RunView } from "@/lib/domain/runs/run-view";
import {
  type DomainDatabase,
  injectModel,
  openDomainDatabase,
} from "@/lib/domain/test/domain-database";
import { startTestRun } from "@/lib/domain/test/start-test-run";
import { budgetActionOf } from "@/lib/model/run/on-budget";
import { toMicros } from "@/lib/model/run/run-result";
import { type ScriptedTurn, type SeenTurn, scriptedModel } from "@/lib/runtime/test/scripted-model";

const png = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");
const made = { png, asked: 0, isSpoilt: false };
const server = createServer((request, response) => {
  request.resume().on("end", () => {
    made.asked += 1;
    if (request.url !== "/v1/images/generations") return response.writeHead(404).end("{}");
    response.writeHead(200, { "content-type": "application/json" });
    response.end(
      JSON.stringify({
        created: 1,
        data: [{ b64_json: (made.isSpoilt ? Buffer.from("<script>") : png).toString("base64") }],
      }),
    );
  });
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const maker = { ...made, made, close: () => server.close() };

let database: DomainDatabase;
let owner: Principal;
let seen: SeenTurn[];
let script: (seen: SeenTurn) => ScriptedTurn;

beforeAll(async () => {
  database = await openDomainDatabase({
    env: {
      // Listens on TCP.
      OPENAI_COMPATIBLE_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
      OPENAI_COMPATIBLE_MODELS: "scripted",
      OPENAI_COMPATIBLE_IMAGE_MODELS: "painter",
      OPENAI_COMPATIBLE_PRICES: '{"painter": {"unit": 25}}',
      DEFAULT_MODEL: "compatible/scripted",
      DATA_DIR: mkdtempSync(join(tmpdir(), "media-")),
      LOG_LEVEL: "silent",
    },
  });
  injectModel(
    scriptedModel("compatible/scripted", (shown) => {
      seen.push(shown);
      return script(shown);
    }),
  );
});
beforeEach(async () => {
  seen = [];
  maker.made.asked = 0;
  maker.made.isSpoilt = false;
  owner = await database.account();
});
afterAll(async () => {
  maker.close();
  await database.close();
});

const PICTURE: ScriptedTurn = {
  call: { name: "image", input: { title: "A lathe, turning", prompt: "A lathe", size: "512x512" } },
};

/** A run that makes a picture and then answers. */
async function paint(maxCreditsMicros: bigint | null = null, asking = PICTURE): Promise<RunView> {
  script = ({ prompt }) =>
    prompt.some(({ role }) => role === "tool") ? { text: "Here it is." } : asking;
  const { id } = await startTestRun(owner, { maxCreditsMicros });
  for (let turn = 0; ; turn++) {
    const next = await runTurn(id, turn);
    if (next.done) return getRun(owner, id);
    for (const { toolCallId } of next.calls) await callTool(id, turn, toolCallId);
  }
}

test("a picture is an artifact with its bytes and type, paid by the piece", async () => {
  const run = await paint();
  expect(run).toMatchObject({ status: "completed", result: { text: "Here it is." } });
  const [artifact] = run.result?.artifacts ?? [];
  expect(artifact).toMatchObject({
    title: "A lathe, turning",
    name: "a-lathe-turning.png",
    type: "image/png",
    size_bytes: maker.png.length,
  });
  const row = run.usage.breakdown.find(({ capability }) => capability === "image");
  expect(row).toEqual({
    model: "compatible/painter",
    capability: "image",
    input_tokens: 0,
    output_tokens: 0,
    cached_input_tokens: 0,
    units: 1,
    credits: 25,
  });
  const spans = await readRunTrace(owner, run.id);
  expect(spans.find(({ name }) => name === "compatible/painter")).toMatchObject({
    kind: "model",
    credits: 25,
    attributes: { units: 1 },
  });
  expect(spans.reduce((sum, { credits }) => sum + credits, 0)).toBeCloseTo(run.usage.credits, 6);
  const { rows } = await database.pool.query(
    "SELECT sha256, content_type FROM artifacts WHERE run_id = $1",
    [run.id],
  );
  expect(rows).toEqual([
    { sha256: createHash("sha256").update(maker.png).digest("hex"), content_type: "image/png" },
  ]);
});

test("a picture that a run cannot pay is not made, and the run goes on without", async () => {
  const run = await paint(toMicros(20));
  expect(run).toMatchObject({ status: "completed", result: { artifacts: [] } });
  expect(maker.made.asked).toBe(0);
  expect(JSON.stringify(seen.at(-1)?.prompt)).toContain("would cost 25 credits");
});

test("a call that a crash made be done again makes nothing anew, and is paid once", async () => {
  const run = await paint();
  const again = await mediaPort(await loadRun(run.id)).make(
    models().media[0] ?? { id: "", capability: "image", unit_price: 0 },
    { kind: "image", prompt: "A lathe", size: null },
    "A lathe, turning",
    {
      toolCallId: (await loadRun(run.id)).transcript.results.keys().next().value ?? "",
      signal: new AbortController().signal,
      emit: () => {},
    },
  );
  expect(again.id).toBe(run.result?.artifacts[0]?.id);
  expect(maker.made.asked).toBe(1);
  expect((await getRun(owner, run.id)).usage.credits).toBe(run.usage.credits);
});

test("unusable work of a model costs nothing, and is the operator's loss", async () => {
  maker.made.isSpoilt = true;
  const run = await paint();
  expect(run.usage.breakdown.filter(({ capability }) => capability === "image")).toEqual([]);
  expect(JSON.stringify(seen.at(-1)?.prompt)).toContain("is no image");
  const { rows } = await database.pool.query(
    "SELECT model, price_micros, reason FROM operator_losses WHERE run_id = $1",
    [run.id],
  );
  expect(rows).toEqual([
    { model: "compatible/painter", price_micros: "25000000", reason: "unusable" },
  ]);
});

test("a size that nobody has priced is not asked for", async () => {
  const huge: ScriptedTurn = {
    call: { name: "image", input: { title: "A lathe", prompt: "A lathe", size: "9999x9999" } },
  };
  const run = await paint(null, huge);
  expect(run).toMatchObject({ status: "completed", result: { artifacts: [] } });
  expect(maker.made.asked).toBe(0);
  expect(JSON.stringify(seen.at(-1)?.prompt)).toContain("1024x1792");
});

test("a kind without a model is no tool, nor is one that the config leaves out", async () => {
  await paint();
  const names = seen[0]?.tools?.map(({ name }) => name);
  expect(names).toContain("image");
  expect(names).not.toContain("speech");
  expect(names).not.toContain("video");
});

test("a picture beyond the run's limit waits, made and paid once after the raise", async () => {
  script = ({ prompt }) =>
    prompt.some(({ role }) => role === "tool") ? { text: "Here it is." } : PICTURE;
  const { id } = await startTestRun(owner, { maxCreditsMicros: toMicros(20), onBudget: "wait" });
  const turn = await runTurn(id, 0);
  if (turn.done) throw new Error("it has ended");
  const toolCallId = turn.calls[0]?.toolCallId ?? "";
  const outcome = await callTool(id, 0, toolCallId);
  if (!("short" in outcome)) throw new Error("it does not wait");
  expect(await requestBudget(id, 0, toolCallId, outcome.short)).toEqual({ outcome: "asked" });
  const action = budgetActionOf((await getRun(owner, id)).requiresAction);
  expect(action).toMatchObject({ type: "budget", max_credits: 20 });
  expect(action?.required).toBe(Number(((action?.spent ?? 0) + 25).toFixed(6)));
  expect(maker.made.asked).toBe(0);
  expect((await raiseRunLimit(owner, id, toMicros(60))).requiresAction).toBeNull();
  expect(await callTool(id, 0, toolCallId, false, true)).toEqual({ done: false });
  expect(maker.made.asked).toBe(1);
  expect(await runTurn(id, 1)).toEqual({ done: true });
  const { rows } = await database.pool.query(
    "SELECT count(*)::int AS charges FROM run_usage WHERE run_id = $1 AND capability = 'image'",
    [id],
  );
  expect(rows).toEqual([{ charges: 1 }]);
});
