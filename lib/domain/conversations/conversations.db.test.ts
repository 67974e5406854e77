import { afterAll, beforeAll, expect, test } from "vitest";
import { getConversation } from "@/lib/domain/conversations/conversation-view";
import { deleteConversation } from "@/lib/domain/conversations/delete-conversation";
import { listConversations } from "@/lib/domain/conversations/list-conversations";
import { listMessages } from "@/lib/domain/conversations/list-messages";
import type { Principal } from "@/lib/domain/principal";
import { cancelRun } from "@/lib/domain/runs/cancel-run";
import { requestRun } from "@/lib/domain/runs/request-run";
import { settleRun } from "@/lib/domain/runs/settle-run";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import type { ServiceError } from "@/lib/model/errors";
import { newId } from "@/lib/platform/ids";

let database: DomainDatabase;
const ALL = { limit: 100, cursor: null };

beforeAll(async () => {
  database = await openDomainDatabase();
});
afterAll(() => database.close());

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    (error: ServiceError) => error.code,
  );

async function start(
  owner: Principal,
  text: string,
  conversationId: string | null = null,
  kind: "agent" | "super_agent" = "agent",
) {
  const rest = {
    agentId: null,
    workspaceId: null,
    webhookUrl: null,
    shouldNotify: false,
    model: null,
    metadata: {},
    maxCreditsMicros: null,
  };
  const run = await requestRun(owner, kind, { ...rest, input: { text }, conversationId });
  if ("replayed" in run || !run.conversationId) throw new Error("a run has a conversation");
  return { runId: run.id, conversationId: run.conversationId };
}

/** A question and its answer; no engine works here, so the test ends the run. */
async function say(
  owner: Principal,
  question: string,
  answer: string,
  conversationId: string | null = null,
): Promise<string> {
  const run = await start(owner, question, conversationId);
  await database.pool.query("UPDATE runs SET status = 'running' WHERE id = $1", [run.runId]);
  expect(
    await settleRun(
      run.runId,
      { status: "completed", result: { text: answer, artifacts: [] } },
      null,
    ),
  ).toBe(true);
  return run.conversationId;
}

test("a conversation is read in order, with a title of its first words", async () => {
  const owner = await database.account();
  const id = await say(owner, "Capital of\n Iceland?", "Reykjavik.");
  await say(owner, "How many live there?", "140,000.", id);
  expect(await getConversation(owner, id)).toMatchObject({
    family: "agent",
    activeRunId: null,
    title: "Capital of Iceland?",
  });
  const { messages, nextCursor } = await listMessages(id, ALL);
  expect(messages.map(({ role, text }) => [role, text])).toEqual([
    ["user", "Capital of\n Iceland?"],
    ["assistant", "Reykjavik."],
    ["user", "How many live there?"],
    ["assistant", "140,000."],
  ]);
  expect(new Set(messages.map((message) => message.runId)).size).toBe(2);
  expect(nextCursor).toBeNull();
});

test("the newest messages come first, each page in order, the cursor back", async () => {
  const owner = await database.account();
  const id = await say(owner, "q0", "a0");
  for (const n of [1, 2]) await say(owner, `q${n}`, `a${n}`, id);
  const pages: string[][] = [];
  let cursor: string | null = null;
  do {
    const page = await listMessages(id, { limit: 4, cursor });
    pages.push(page.messages.map((message) => message.text));
    cursor = page.nextCursor;
  } while (cursor);
  expect(pages).toEqual([
    ["q1", "a1", "q2", "a2"],
    ["q0", "a0"],
  ]);
});

test("a page of long messages ends at 4 MiB, and still every message is reached", async () => {
  const owner = await database.account();
  const id = await say(owner, "q", "a".repeat(3 * 1024 * 1024));
  await say(owner, "q", "ü".repeat(3 * 1024 * 1024), id);
  const sizes: number[][] = [];
  let cursor: string | null = null;
  do {
    const page = await listMessages(id, { limit: 100, cursor });
    sizes.push(page.messages.map((message) => message.text.length));
    cursor = page.nextCursor;
  } while (cursor);
  // Two bytes a letter: the second answer alone is more than a page.
  expect(sizes).toEqual([[3_145_728], [1, 3_145_728, 1]]);
});

test("a busy conversation is not deleted; later it is, messages too, runs stay", async () => {
  const owner = await database.account();
  const { runId, conversationId } = await start(owner, "hello");
  expect(await codeOf(deleteConversation(owner, conversationId))).toBe("CONVERSATION_BUSY");
  expect((await getConversation(owner, conversationId)).activeRunId).toBe(runId);
  await cancelRun(owner, runId);
  await deleteConversation(owner, conversationId);
  expect(await codeOf(deleteConversation(owner, conversationId))).toBe("CONVERSATION_NOT_FOUND");
  expect(await codeOf(start(owner, "again", conversationId))).toBe("CONVERSATION_NOT_FOUND");
  expect(
    (
      await database.pool.query("SELECT 1 FROM messages WHERE conversation_id = $1", [
        conversationId,
      ])
    ).rowCount,
  ).toBe(0);
  expect(
    (await database.pool.query("SELECT conversation_id FROM runs WHERE id = $1", [runId])).rows,
  ).toEqual([{ conversation_id: conversationId }]);
});

test("of a start and a deletion at once one wins: never a run without a conversation", async () => {
  const owner = await database.account();
  for (let round = 0; round < 15; round++) {
    const id = await say(owner, "q", "a");
    const [started, deleted] = await Promise.all([
      codeOf(start(owner, "again", id)),
      codeOf(deleteConversation(owner, id)),
    ]);
    expect([
      ["done", "CONVERSATION_BUSY"],
      ["CONVERSATION_NOT_FOUND", "done"],
      ["CONVERSATION_BUSY", "done"],
    ]).toContainEqual([started, deleted]);
    const { rows } = await database.pool.query(
      "SELECT count(*)::int AS runs FROM runs WHERE conversation_id = $1",
      [id],
    );
    expect(rows[0].runs).toBe(started === "done" ? 2 : 1);
  }
});

test("the list is newest first, whole over pages, and knows families", async () => {
  const owner = await database.account({ superAgentAccess: true });
  const ids: string[] = [];
  for (const text of ["a", "b", "c"]) ids.unshift((await start(owner, text)).conversationId);
  const ofSuper = (await start(owner, "super", null, "super_agent")).conversationId;
  const one = await listConversations(owner, { limit: 2, cursor: null }, "agent");
  const two = await listConversations(owner, { limit: 2, cursor: one.nextCursor }, "agent");
  expect([...one.data, ...two.data].map((row) => row.id)).toEqual(ids);
  expect((await listConversations(owner, ALL, null)).data.map((row) => row.id)).toEqual([
    ofSuper,
    ...ids,
  ]);
  expect((await listConversations(owner, ALL, "creation")).data).toEqual([]);
});

test("without access to the super-agent its conversations are not there", async () => {
  const owner = await database.account({ superAgentAccess: true });
  const { conversationId } = await start(owner, "super", null, "super_agent");
  const without = { ...owner, superAgentAccess: false };
  expect((await listConversations(without, ALL, null)).data).toEqual([]);
  expect((await listConversations(without, ALL, "super_agent")).data).toEqual([]);
  expect(await codeOf(getConversation(without, conversationId))).toBe("CONVERSATION_NOT_FOUND");
  expect(await codeOf(deleteConversation(without, conversationId))).toBe("CONVERSATION_NOT_FOUND");
  expect((await getConversation(owner, conversationId)).family).toBe("super_agent");
});

test("a conversation of another account is not there", async () => {
  const [owner, stranger] = [await database.account(), await database.account()];
  const id = await say(owner, "q", "a");
  for (const each of [id, newId()]) {
    expect(await codeOf(getConversation(stranger, each))).toBe("CONVERSATION_NOT_FOUND");
    expect(await codeOf(deleteConversation(stranger, each))).toBe("CONVERSATION_NOT_FOUND");
    expect(await codeOf(start(stranger, "mine?", each))).toBe("CONVERSATION_NOT_FOUND");
  }
  expect((await listConversations(stranger, ALL, null)).data).toEqual([]);
  expect((await listMessages(id, ALL)).messages).toHaveLength(2);
});

test("a busy conversation names the run in the way, in words and as a field", async () => {
  const owner = await database.account();
  const conversationId = await say(owner, "q", "a");
  const started = await Promise.allSettled(
    Array.from({ length: 4 }, () => start(owner, "again", conversationId)),
  );
  const [winner] = started.flatMap((each) =>
    each.status === "fulfilled" ? [each.value.runId] : [],
  );
  const refusals: ServiceError[] = started.flatMap((each) =>
    each.status === "rejected" ? [each.reason] : [],
  );
  refusals.push(
    await deleteConversation(owner, conversationId).then(
      () => expect.unreachable(),
      (error: ServiceError) => error,
    ),
  );
  expect(refusals).toHaveLength(4);
  for (const { code, message, extras } of refusals) {
    expect({ code, extras }).toEqual({ code: "CONVERSATION_BUSY", extras: { run_id: winner } });
    expect(message).toBe(
      `The run ${winner} of this conversation has not ended. Wait for it or cancel it.`,
    );
  }
});
