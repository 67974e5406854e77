import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { LoadedRun } from "@/lib/domain/execution/run/loaded-run";
import { Transcript } from "@/lib/domain/execution/run/transcript";
import type { Principal } from "@/lib/domain/principal";
import { loadRun } from "@/lib/domain/run-steps";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { newAgent } from "@/lib/domain/test/new-agent";
import { newId } from "@/lib/platform/ids";
import { postgres } from "@/lib/platform/postgres";

let database: DomainDatabase;
let owner: Principal;
let other: Principal;

beforeAll(async () => {
  database = await openDomainDatabase();
});
beforeEach(async () => {
  owner = await database.account();
  other = await database.account();
});
afterAll(() => database.close());

async function insert<Row extends object>(table: string, row: Row): Promise<Row> {
  const columns = Object.keys(row);
  const places = columns.map((_, index) => `$${index + 1}`);
  await database.pool.query(
    `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${places.join(", ")})`,
    Object.values(row),
  );
  return row;
}

/** A run as a row, of the owner where nothing else is said. */
const insertRun = (more: object = {}) =>
  insert("runs", {
    id: newId(),
    account_id: owner.accountId,
    kind: "agent",
    status: "running",
    input: "{}",
    model: "m",
    ...more,
  });
async function insertConversation(account = owner): Promise<string> {
  const row = {
    id: newId(),
    account_id: account.accountId,
    family: "agent",
    updated_at: new Date(),
  };
  return (await insert("conversations", row)).id;
}
const say = (conversationId: string, runId: string, role: "user" | "assistant", text: string) =>
  insert("messages", { id: newId(), conversation_id: conversationId, run_id: runId, role, text });
/** A run of a conversation that has ended, with what was asked and answered; returned as its id. */
async function insertEarlier(
  conversationId: string,
  name: string,
  more: object = {},
): Promise<string> {
  const { id } = await insertRun({ conversation_id: conversationId, status: "completed", ...more });
  await say(conversationId, id, "user", `${name}?`);
  await say(conversationId, id, "assistant", `${name}.`);
  return id;
}
const textsOf = ({ context }: LoadedRun) => context.history.map(({ text }) => text);

test("a run that is gone is said to be", async () => {
  await expect(loadRun(newId())).rejects.toMatchObject({
    code: "EXECUTION_FAILED",
    message: "The run does not exist any more.",
  });
});

test("a run's earlier conversation is what completed runs said; builds' failed, too", async () => {
  const conversation_id = await insertConversation();
  const first = await insertEarlier(conversation_id, "one");
  await insertEarlier(conversation_id, "failed", { status: "failed" });
  await insertEarlier(conversation_id, "cancelled", { status: "cancelled" });
  await insertEarlier(conversation_id, "two");
  await insertEarlier(await insertConversation(), "elsewhere");
  const { id } = await insertRun({ conversation_id });
  await say(conversation_id, id, "user", "Now?");
  const run = await loadRun(id);
  expect(textsOf(run)).toEqual(["two.", "two?", "one.", "one?"]);
  expect(run.context.history.at(-1)).toEqual({
    role: "user",
    text: "one?",
    runId: first,
    position: expect.any(Number),
  });
  expect(run.context.earlierIn).toEqual({ conversationId: conversation_id, before: null });
  for (const kind of ["agent_creation", "agent_edit"]) {
    const build = await loadRun((await insertRun({ conversation_id, kind })).id);
    expect(textsOf(build)).toEqual(["two.", "two?", "failed.", "failed?", "one.", "one?"]);
  }
  const known = { transcript: new Transcript(), context: run.context };
  const { history, earlierIn } = run.context;
  expect((await loadRun(id, known)).context).toMatchObject({ history, earlierIn });
});

test("a conversation's first run has none before it, nor another account's", async () => {
  const conversation_id = await insertConversation();
  const workspace = await insert("workspaces", {
    id: newId(),
    account_id: other.accountId,
    name: "Theirs",
    updated_at: new Date(),
  });
  await insertRun({ conversation_id, account_id: other.accountId, workspace_id: workspace.id });
  const run = await loadRun((await insertRun({ conversation_id, workspace_id: null })).id);
  expect(run.context).toMatchObject({ history: [], earlierIn: null, seenPrivate: false });
  expect(run.surroundings.workspace).toBeNull();
  expect(await loadRun((await insertRun({ workspace_id: workspace.id })).id)).toMatchObject({
    context: { seenPrivate: true },
    surroundings: { workspace: null },
  });
});

test("a run has seen private data where it or an earlier one has a workspace", async () => {
  const conversation_id = await insertConversation();
  const { id } = await insert("workspaces", {
    id: newId(),
    account_id: owner.accountId,
    name: "Books",
    updated_at: new Date(),
  });
  await insertRun({ conversation_id, workspace_id: id });
  expect(await loadRun((await insertRun({ conversation_id })).id)).toMatchObject({
    context: { seenPrivate: true },
    surroundings: { workspace: null },
  });
  expect(await loadRun((await insertRun({ workspace_id: id })).id)).toMatchObject({
    context: { seenPrivate: true },
    surroundings: { workspace: { name: "Books", fileCount: 0 } },
  });
  expect(await loadRun((await insertRun()).id)).toMatchObject({
    context: { seenPrivate: false },
    surroundings: { workspace: null },
  });
});

test("a replay sees the conversation before its request, and no other account's", async () => {
  const conversation_id = await insertConversation();
  await insertEarlier(conversation_id, "one");
  const replayed = await insertEarlier(conversation_id, "two");
  await insertEarlier(conversation_id, "three");
  const run = await loadRun((await insertRun({ history_of: replayed })).id);
  expect(textsOf(run)).toEqual(["one.", "one?"]);
  expect(run.context.earlierIn).toEqual({
    conversationId: conversation_id,
    before: (run.context.history[0]?.position ?? 0) + 1,
  });
  const theirs = await loadRun(
    (await insertRun({ account_id: other.accountId, history_of: replayed })).id,
  );
  expect(theirs.context).toMatchObject({ history: [], earlierIn: null });
});

test("a run is loaded with its own turns, results, artifacts and cost, in order", async () => {
  const [{ id }, { id: stranger }] = [await insertRun(), await insertRun()];
  const message = newId();
  const turn = (run_id: string, number: number, message_id = newId()) =>
    insert("run_turns", {
      run_id,
      turn: number,
      message_id,
      model: "m",
      content: "[]",
      finish_reason: "stop",
    });
  for (const number of [2, 0, 1]) await turn(id, number, number === 1 ? message : undefined);
  await turn(stranger, 7);
  for (const run_id of [id, stranger]) {
    await insert("run_tool_results", {
      run_id,
      tool_call_id: "c",
      turn: 0,
      name: run_id,
      succeeded: true,
      output: '{"a":1}',
    });
    const cost = {
      model: "m",
      capability: "chat",
      input_tokens: 1,
      output_tokens: 2,
      cached_input_tokens: 0,
      units: 0,
      credits_micros: 7,
    };
    await insert("run_usage", { run_id, step_key: "turn-0", account_id: owner.accountId, ...cost });
  }
  const file = (run_id: string, name: string, time: number) => ({
    id: newId(time),
    run_id,
    account_id: owner.accountId,
    step_key: name,
    title: name.toUpperCase(),
    name,
    content_type: "text/plain",
    size_bytes: 5,
    sha256: "0",
    storage_key: newId(),
  });
  const files = [
    file(id, "a.txt", 1_000),
    file(id, "b.txt", 2_000),
    file(stranger, "c.txt", 3_000),
  ];
  for (const row of files.toReversed()) await insert("artifacts", row);
  await insert("run_logs", {
    run_id: id,
    open_message_id: message,
    todo: JSON.stringify({ card_id: "card", items: [] }),
  });
  const run = await loadRun(id);
  expect(run.transcript.turns.map((taken) => taken.turn)).toEqual([0, 1, 2]);
  expect([...run.transcript.results]).toEqual([
    ["c", { toolCallId: "c", name: id, succeeded: true, output: { a: 1 } }],
  ]);
  expect(run.cost.spentMicros).toBe(7n);
  expect(run.cost.usage).toEqual([
    expect.objectContaining({ model: "m", input_tokens: 1, output_tokens: 2, micros: 7 }),
  ]);
  const shown = ({ id, title, name }: (typeof files)[number]) => ({
    id,
    title,
    type: "text/plain",
    url: `artifact:${id}`,
    name,
    size_bytes: 5,
  });
  expect(run.surroundings.artifacts).toEqual(files.slice(0, 2).map(shown));
  expect(run.surroundings.todo).toEqual({ cardId: "card", items: [] });
  const { results, turns } = run.transcript;
  const transcript = new Transcript(turns.slice(0, 2), results.values());
  const known = { transcript, context: run.context };
  const again = await loadRun(id, known);
  expect(again.transcript).toBe(transcript);
  expect(transcript.turns).toEqual(turns);
});

test("a run's skills are those of its account that are enabled", async () => {
  const skill = (account: Principal, name: string, enabled: boolean) =>
    insert("skills", {
      id: newId(),
      account_id: account.accountId,
      name,
      description: `${name}!`,
      content: "x",
      enabled,
      updated_at: new Date(),
    });
  await skill(owner, "on", true);
  await skill(owner, "off", false);
  await skill(other, "theirs", true);
  expect((await loadRun((await insertRun()).id)).surroundings.skills).toEqual([
    { name: "on", description: "on!" },
  ]);
});

test("a run's newest compaction stands for its turns, no conversation's summary", async () => {
  const { id: run_id } = await insertRun();
  const at = (minutes: number) => new Date(Date.now() + minutes * 60_000);
  const span = (minutes: number, kind: string, summary: string, of?: string) =>
    insert("run_spans", {
      run_id,
      id: newId(),
      turn: 0,
      kind,
      name: "m",
      status: "succeeded",
      started_at: at(minutes),
      ended_at: at(minutes),
      attributes: JSON.stringify(of ? { of } : {}),
      output: JSON.stringify({ summary, fromTurn: minutes }),
    });
  expect((await loadRun(run_id)).context.compaction).toBeNull();
  await span(2, "compaction", "Newer.");
  await span(1, "compaction", "Older.");
  await span(3, "compaction", "Said.", "conversation");
  await span(4, "model", "Failed.");
  expect((await loadRun(run_id)).context.compaction).toEqual({ summary: "Newer.", fromTurn: 2 });
});

test("approvals are found by call, not replaced ones; a person's time counts apart", async () => {
  const { id } = await insertRun({ queued_ms: 500 });
  const created_at = new Date();
  const approval = (
    run_id: string,
    tool_call_id: string | null,
    status: string,
    seconds: number | null,
  ) =>
    insert("approvals", {
      id: newId(),
      run_id,
      account_id: owner.accountId,
      tool_call_id,
      tool_name: "hook",
      arguments: '{"a":1}',
      summary: "hook: it",
      status,
      created_at,
      expires_at: created_at,
      decided_at: seconds === null ? null : new Date(created_at.getTime() + seconds * 1_000),
      digest: "d",
    });
  const decided = await approval(id, "one", "approved", 2);
  const replaced = await approval(id, null, "approved", 3);
  const pending = await approval(id, "two", "pending", null);
  await approval((await insertRun()).id, "three", "approved", 5);
  const run = await loadRun(id);
  expect(run.approvals.of("three")).toBeUndefined();
  expect(run.approvals.of("two")?.id).toBe(pending.id);
  expect(run.approvals.of("one")).toEqual({
    toolCallId: "one",
    id: decided.id,
    toolName: "hook",
    arguments: { a: 1 },
    status: "approved",
    message: null,
    digest: "d",
    summary: "hook: it",
    decisionShown: false,
    secondsLeft: expect.any(Number),
  });
  expect(run.approvals.approved.map((yes) => yes.id).sort()).toEqual(
    [decided.id, replaced.id].sort(),
  );
  expect(run.waitedMs).toBe(5_500);
});

test("an agent is loaded as it is or by version; one made by an agent is no owner's", async () => {
  const agent = await newAgent(owner);
  await database.pool.query("UPDATE agents SET name = 'Renamed' WHERE id = $1", [agent.id]);
  const load = async (more: object = {}) =>
    (await loadRun((await insertRun({ agent_id: agent.id, ...more })).id)).agent;
  expect(await load()).toMatchObject({
    id: agent.id,
    name: "Renamed",
    currentVersionId: agent.currentVersionId,
    isOwners: true,
  });
  expect(await load({ agent_version: 1 })).toMatchObject({
    id: agent.id,
    name: "Helper",
    currentVersionId: agent.currentVersionId,
  });
  await expect(load({ agent_version: 2 })).rejects.toMatchObject({
    code: "EXECUTION_FAILED",
    message:
      "Version 2 of the agent, which this run is to use, is not kept any more. Start it on " +
      "another version.",
  });
  const madeBy = async (more: object) => {
    const { id } = await insertRun({ kind: "agent_creation", ...more });
    await database.pool.query("UPDATE agents SET created_by_run_id = $2 WHERE id = $1", [
      agent.id,
      id,
    ]);
    return (await load())?.isOwners;
  };
  expect(await madeBy({ origin: "session" })).toBe(true);
  expect(await madeBy({ origin: "agent" })).toBe(false);
  expect(await madeBy({ origin: "session", account_id: other.accountId })).toBe(false);
});

test("a run's time counts from its beginning, by the database's clock, or is none", async () => {
  expect((await loadRun((await insertRun()).id)).startedAt).toBeNull();
  const started = Date.now() - 60_000;
  const run = await loadRun(
    (await insertRun({ started_at: new Date(started), max_credits_micros: 9 })).id,
  );
  expect(Math.abs((run.startedAt?.getTime() ?? 0) - started)).toBeLessThan(5_000);
  expect(run.maxCreditsMicros).toBe(9n);
});

/** All that its next step goes by, but for what the clock moves. */
const facts = ({ cost, context, program: _, ...run }: LoadedRun) => ({
  ...run,
  spent: cost.spentMicros,
  history: context.history,
  earlierIn: context.earlierIn,
  seenPrivate: context.seenPrivate,
  frozen: context.frozen,
  compaction: context.compaction,
});

test("of a run that was not begun, what there can be is read: the same as all of it", async () => {
  const agent = await newAgent(owner);
  const conversation_id = await insertConversation();
  await insertEarlier(conversation_id, "before");
  const { id } = await insertRun({
    status: "pending",
    agent_id: agent.id,
    conversation_id,
    max_credits_micros: 5,
  });
  await say(conversation_id, id, "user", "now?");
  await insert("run_logs", { run_id: id, next_sequence: 1 });
  await insert("run_messages", {
    ...{ id: newId(), run_id: id, account_id: owner.accountId },
    ...{ due: "next_step", position: 1, input: '"and this"' },
  });
  // Its process died between that and the beginning of the turn.
  await insert("run_messages", {
    ...{ id: newId(), run_id: id, account_id: owner.accountId },
    ...{ due: "next_step", position: 2, input: '"heard"', turn: 0 },
  });
  const whole = facts(await loadRun(id));
  const first = facts(await loadRun(id, null, { isFirst: true }));
  expect(first).toEqual({ ...whole, approvals: first.approvals, transcript: first.transcript });
  expect(first.transcript.turns).toEqual([]);
  expect(first.transcript.messagesBefore(0).map(({ text }) => text)).toEqual(["heard"]);
  expect([first.waiting.length, first.history.length]).toEqual([1, 2]);
});

test("of a run whose first turn was begun before, all is read", async () => {
  const { id } = await insertRun({ started_at: new Date() });
  await insert("run_turns", {
    ...{ run_id: id, turn: 0, message_id: newId(), model: "m", content: "[]" },
    ...{ finish_reason: "stop", started_at: new Date() },
  });
  await insert("run_usage", {
    ...{ run_id: id, step_key: "turn-0", account_id: owner.accountId, model: "m" },
    ...{ capability: "text", input_tokens: 1, output_tokens: 1, units: 0 },
    ...{ cached_input_tokens: 0, credits_micros: 7, price_micros: 7 },
  });
  const run = await loadRun(id, null, { isFirst: true });
  expect([run.transcript.turns.length, run.cost.spentMicros]).toEqual([1, 7n]);
});

test("a run is read by a plan that is made once, with statistics too", async () => {
  const { id } = await insertRun({ status: "pending" });
  for (let count = 0; count < 200; count++) await insertEarlier(await insertConversation(), "x");
  await database.pool.query("ANALYZE");
  const known = await loadRun(id);
  for (let count = 0; count < 10; count++) {
    await loadRun(id, null, { isFirst: true });
    await loadRun(id);
    await loadRun(id, known);
  }
  const { rows } = await postgres().query(
    `SELECT name FROM pg_prepared_statements
     WHERE name LIKE 'load-run-%' AND generic_plans > 0 AND custom_plans <= 5 ORDER BY name`,
  );
  expect(rows.map(({ name }) => name)).toEqual([
    "load-run-since",
    "load-run-unbegun",
    "load-run-whole",
  ]);
});
