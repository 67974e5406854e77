import { afterAll, beforeAll, expect, test } from "vitest";
import type { Principal } from "@/lib/domain/principal";
import { requestRun } from "@/lib/domain/runs/request-run";
import { getRun, type RunView } from "@/lib/domain/runs/run-view";
import {
  type DomainDatabase,
  injectModel,
  openDomainDatabase,
} from "@/lib/domain/test/domain-database";
import { insertTestAgent } from "@/lib/domain/test/insert-test-agent";
import {
  type EmbeddedExecutor,
  startEmbeddedExecutor,
} from "@/lib/engine/embedded/start-embedded-executor";
import { followRunLog } from "@/lib/engine/events/follow-run-log";
import { executeRun } from "@/lib/jobs/execute-run";
import type { AgentConfig } from "@/lib/model/agent-config/agent-config-schema";
import { scriptedModel } from "@/lib/runtime/test/scripted-model";

const ON = "builtin/offline";
const OFF = "anthropic/claude-sonnet-4-5";

let database: DomainDatabase;
let executor: EmbeddedExecutor;
let owner: Principal;
let calls = 0;

beforeAll(async () => {
  database = await openDomainDatabase();
  injectModel(
    scriptedModel(ON, () => {
      calls += 1;
      return { text: "from the model that is on" };
    }),
  );
  executor = await startEmbeddedExecutor({
    functions: [executeRun],
    pool: database.pool,
    concurrency: 5,
  });
  owner = await database.account();
});
afterAll(async () => {
  await executor.stop({ graceMs: 1_000 });
  await database.close();
});

async function runWith(
  config: Partial<AgentConfig>,
  model: string | null = null,
): Promise<RunView> {
  const agent = await insertTestAgent(owner, { config });
  const run = await requestRun(owner, "agent", {
    ...{ agentId: agent.id, input: {}, conversationId: null, workspaceId: null, webhookUrl: null },
    ...{ shouldNotify: false, model, metadata: {}, maxCreditsMicros: null },
  });
  if ("replayed" in run) throw new Error("there is no key to replay");
  for await (const _ of followRunLog(run.id, { after: -1, signal: AbortSignal.timeout(20_000) }));
  return getRun(owner, run.id);
}

test("an agent whose model is off fails and says what to set: no other answers", async () => {
  calls = 0;
  const run = await runWith({ model: OFF });
  expect(run).toMatchObject({
    status: "failed",
    model: OFF,
    error: { code: "INVALID_AGENT_CONFIG" },
    usage: { credits: 0 },
  });
  for (const words of [
    OFF,
    "not switched on",
    "`model`",
    "`fallback_models`",
    ON,
    "ANTHROPIC_API_KEY",
  ])
    expect(run.error?.message).toContain(words);
  expect((await runWith({ model: "compatible/gone" })).error).toMatchObject({
    code: "INVALID_AGENT_CONFIG",
    message: expect.stringContaining("not known"),
  });
  expect((await runWith({ model: OFF, fallback_models: ["openai/gpt-5.1"] })).error?.code).toBe(
    "INVALID_AGENT_CONFIG",
  );
  expect(calls).toBe(0);
});

test("its fallback_models take its place, and so does a model that the request names", async () => {
  expect(await runWith({ model: OFF, fallback_models: [ON] })).toMatchObject({
    status: "completed",
    result: { text: "from the model that is on" },
    usage: { breakdown: [{ model: ON }] },
  });
  expect(await runWith({ model: OFF }, ON)).toMatchObject({ status: "completed", model: ON });
  await expect(runWith({}, OFF)).rejects.toMatchObject({ code: "INVALID_INPUT" });
});
