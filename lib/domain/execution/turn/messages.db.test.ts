import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { updateAgent } from "@/lib/domain/agents/update-agent";
import type { Principal } from "@/lib/domain/principal";
import { callTool, runTurn } from "@/lib/domain/run-steps";
import { cancelRun } from "@/lib/domain/runs/cancel-run";
import { listRunMessages } from "@/lib/domain/runs/list-run-messages";
import { getRun } from "@/lib/domain/runs/run-view";
import { sendMessage } from "@/lib/domain/runs/send-message";
import {
  type DomainDatabase,
  injectModel,
  openDomainDatabase,
} from "@/lib/domain/test/domain-database";
import { newAgent } from "@/lib/domain/test/new-agent";
import { startTestRun } from "@/lib/domain/test/start-test-run";
import { openRunLog, readRunEvents } from "@/lib/engine/events/run-log-writer";
import { callSql } from "@/lib/platform/call-sql";
import { type ScriptedTurn, type SeenTurn, scriptedModel } from "@/lib/runtime/test/scripted-model";

let database: DomainDatabase;
let owner: Principal;
let seen: SeenTurn[];
let script: (call: number) => ScriptedTurn | Promise<ScriptedTurn>;

beforeAll(async () => {
  database = await openDomainDatabase({
    env: {
      OPENAI_COMPATIBLE_BASE_URL: "http://127.0.0.1:9/v1",
      OPENAI_COMPATIBLE_MODELS: "scripted",
      DEFAULT_MODEL: "compatible/scripted",
      LOG_LEVEL: "silent",
    },
  });
  injectModel(
    scriptedModel("compatible/scripted", (shown) => {
      seen.push(shown);
      return script(seen.length - 1);
    }),
  );
});
beforeEach(async () => {
  seen = [];
  owner = await database.account();
});
afterAll(() => database.close());

const ALL = { limit: 10, cursor: null };

const todo = (text: string): ScriptedTurn => ({
  call: { name: "todo", input: { items: [{ text, done: false }] } },
});

async function play(id: string, from = 0) {
  for (let turn = from; ; turn++) {
    const next = await runTurn(id, turn);
    if (next.done) return getRun(owner, id);
    for (const { toolCallId } of next.calls) await callTool(id, turn, toolCallId);
  }
}

/** How often a model was told this in one call. */
const told = (turn: SeenTurn | undefined, text: string) =>
  JSON.stringify(turn?.prompt ?? []).split(text).length - 1;

const say = async (id: string, input: string | Record<string, unknown>) => {
  const sent = await sendMessage(owner, id, input);
  if ("replayed" in sent) throw new Error("it was said before");
  return sent;
};

const linesOf = async (id: string) =>
  (await readRunEvents(id, -1, 1_000, database.pool)).map(
    (line) => JSON.parse(line) as { type: string; text?: string; message_id?: string },
  );

test("what is said to a run is shown with its next turn, once, in order, for good", async () => {
  const { id } = await startTestRun(owner);
  script = async (call) => {
    if (call === 0) {
      const first = await say(id, "leave the appendix out");
      const second = await say(id, { note: "and be brief" });
      expect([first.position, second.position]).toEqual([1, 2]);
    }
    return call < 2 ? todo(`step ${call}`) : { text: "Done." };
  };
  expect(await play(id)).toMatchObject({ status: "completed", result: { text: "Done." } });
  expect(seen.map((turn) => told(turn, "leave the appendix out"))).toEqual([0, 1, 1]);
  const prompt = JSON.stringify(seen[1]?.prompt);
  expect(prompt.indexOf("leave the appendix out")).toBeLessThan(prompt.indexOf("and be brief"));
  // Behind the result of the turn that was at work, and before what the next one said.
  const roles = seen[2]?.prompt.map(({ role }) => role);
  expect(roles?.slice(-6)).toEqual(["user", "assistant", "tool", "user", "assistant", "tool"]);
  const lines = await linesOf(id);
  expect(lines.filter(({ type }) => type === "message.received").map(({ text }) => text)).toEqual([
    "leave the appendix out",
    "and be brief",
  ]);
  const { rows } = await database.pool.query(
    "SELECT text FROM messages WHERE run_id = $1 AND role = 'user'",
    [id],
  );
  expect(rows[0].text).toBe("Do it.\n\nleave the appendix out\n\nand be brief");
  const { data } = await listRunMessages(owner, id, ALL);
  expect(data.map(({ position, status }) => [position, status])).toEqual([
    [2, "shown"],
    [1, "shown"],
  ]);
});

test("what is said during the answer has the run take a turn, beyond its steps too", async () => {
  const agent = await newAgent(owner);
  await updateAgent(owner, agent.id, { config: { version: 1, limits: { max_steps: 1 } } });
  const { id } = await startTestRun(owner, { agentId: agent.id });
  script = async (call) => {
    if (call < 2) await sendMessage(owner, id, `more ${call}`);
    return { text: `answer ${call}` };
  };
  expect(await play(id)).toMatchObject({ status: "completed", result: { text: "answer 2" } });
  expect(seen).toHaveLength(3);
  expect(seen.map((turn) => told(turn, "more 0"))).toEqual([0, 1, 1]);
  const { rows } = await database.pool.query(
    "SELECT count(*)::int AS paid FROM run_usage WHERE run_id = $1",
    [id],
  );
  expect(rows).toEqual([{ paid: 3 }]);
});

test("a turn that is taken again shows what was shown with it, and not once more", async () => {
  const { id } = await startTestRun(owner);
  await sendMessage(owner, id, "before it began");
  // Another process takes the run over while this one waits for its model.
  script = async () => {
    await database.pool.query("UPDATE run_logs SET writer = writer + 1 WHERE run_id = $1", [id]);
    return { text: "of a process that has lost it" };
  };
  await expect(runTurn(id, 0)).rejects.toMatchObject({ name: "LogTakenOver" });
  await sendMessage(owner, id, "after the death");
  script = () => ({ text: "Done." });
  seen = [];
  await play(id);
  expect(seen).toHaveLength(1);
  expect(told(seen[0], "before it began")).toBe(1);
  expect(told(seen[0], "after the death")).toBe(1);
  const lines = (await linesOf(id)).filter(({ type }) => type === "message.received");
  expect(lines.map(({ text }) => text)).toEqual(["before it began", "after the death"]);
});

test("a process that has lost the run shows nothing in its name", async () => {
  const { id } = await startTestRun(owner);
  script = async (call) => {
    if (call === 0) {
      await sendMessage(owner, id, "for the new owner");
      return todo("step");
    }
    return { text: "Done." };
  };
  const first = await runTurn(id, 0);
  if (first.done) throw new Error("it made a call");
  for (const { toolCallId } of first.calls) await callTool(id, 0, toolCallId);
  const writer = await openRunLog(id);
  await database.pool.query("UPDATE run_logs SET writer = writer + 1 WHERE run_id = $1", [id]);
  await expect(
    callSql(database.pool, "receive_messages", {
      run: id,
      account: owner.accountId,
      turn: 1,
      messages: [(await listRunMessages(owner, id, ALL)).data[0]?.id ?? ""],
      text: "for the new owner",
      log: {
        run: id,
        writer: writer?.fence ?? 0,
        first: 0,
        last: 0,
        closes: false,
        message: null,
        is_whole: false,
        todo: null,
        lines: "{}",
      },
    }),
  ).rejects.toMatchObject({ code: "LT002" });
  expect((await listRunMessages(owner, id, ALL)).data).toMatchObject([{ status: "waiting" }]);
  await play(id, 1);
  expect(told(seen.at(-1), "for the new owner")).toBe(1);
});

test("an ended run hears nothing, and says so; what was unshown is missed", async () => {
  const { id } = await startTestRun(owner);
  await sendMessage(owner, id, "too late");
  await cancelRun(owner, id);
  await expect(sendMessage(owner, id, "x")).rejects.toMatchObject({ code: "RUN_NOT_ACTIVE" });
  const { data } = await listRunMessages(owner, id, ALL);
  expect(data.map(({ text, status }) => [text, status])).toEqual([["too late", "missed"]]);
});

test("of a message and the end at once one wins: it is shown, or refused", async () => {
  for (let round = 0; round < 8; round++) {
    seen = [];
    const { id } = await startTestRun(owner);
    let sent: Promise<string> | undefined;
    script = (call) => {
      if (call === 0)
        sent = sendMessage(owner, id, "now or never").then(
          () => "taken",
          (error: { code: string }) => error.code,
        );
      return { text: `answer ${call}` };
    };
    await play(id);
    const was = await sent;
    expect([was, told(seen.at(-1), "now or never")]).toEqual(
      was === "taken" ? ["taken", 1] : ["RUN_NOT_ACTIVE", 0],
    );
  }
});

test("two at once keep their places; a hundred wait, and one more is refused by name", async () => {
  const { id } = await startTestRun(owner);
  const sent = await Promise.all(Array.from({ length: 100 }, (_, n) => say(id, `m${n}`)));
  expect(sent.map(({ position }) => position).sort((a, b) => a - b)).toEqual(
    Array.from({ length: 100 }, (_, n) => n + 1),
  );
  await expect(sendMessage(owner, id, "one more")).rejects.toMatchObject({
    code: "CONFLICT",
    message: expect.stringContaining("100 messages"),
  });
  await database.pool.query("UPDATE run_messages SET turn = 0 WHERE run_id = $1", [id]);
  await database.pool.query(
    `INSERT INTO run_messages (id, run_id, account_id, position, due, input, turn)
     SELECT gen_random_uuid(), $1, $2, 100 + n, 'next_step', '"x"', 0
     FROM generate_series(1, 900) n`,
    [id, owner.accountId],
  );
  await expect(sendMessage(owner, id, "one more")).rejects.toMatchObject({
    code: "CONFLICT",
    message: expect.stringContaining("1000 messages"),
  });
});

test("a key takes a message once, and another account's run is not there", async () => {
  const { id } = await startTestRun(owner);
  const kept = (requestHash: string) => ({
    route: "sendMessage",
    key: "k",
    requestHash,
    answer: (message: object) => ({ status: 202, body: JSON.stringify(message) }),
  });
  const first = await sendMessage(owner, id, "hello", kept("h"));
  const again = await sendMessage(owner, id, "hello", kept("h"));
  expect(again).toEqual({ replayed: true, status: 202, body: JSON.stringify(first) });
  await expect(sendMessage(owner, id, "other", kept("i"))).rejects.toMatchObject({
    code: "IDEMPOTENCY_CONFLICT",
  });
  const stranger = await database.account();
  await expect(sendMessage(stranger, id, "hello")).rejects.toMatchObject({ code: "RUN_NOT_FOUND" });
  await expect(listRunMessages(stranger, id, ALL)).rejects.toMatchObject({
    code: "RUN_NOT_FOUND",
  });
  expect((await listRunMessages(owner, id, ALL)).data).toHaveLength(1);
});
