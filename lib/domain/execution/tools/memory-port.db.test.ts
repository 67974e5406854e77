import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { memoryPort } from "@/lib/domain/execution/tools/tool-ports";
import { deleteMemory } from "@/lib/domain/memories/delete-memory";
import { listMemories } from "@/lib/domain/memories/list-memories";
import { updateMemory } from "@/lib/domain/memories/update-memory";
import type { Principal } from "@/lib/domain/principal";
import { requestRun } from "@/lib/domain/runs/request-run";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { newAgent } from "@/lib/domain/test/new-agent";
import { newId } from "@/lib/platform/ids";

let database: DomainDatabase;
let owner: Principal;
let agentId: string;

beforeAll(async () => {
  database = await openDomainDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  owner = await database.account();
  agentId = (await newAgent(owner)).id;
});

/** The notes as a run for this end-user sees them. */
async function portFor(endUser: string | null) {
  const run = await requestRun(owner, "agent", {
    agentId,
    input: {},
    conversationId: null,
    workspaceId: null,
    webhookUrl: null,
    shouldNotify: false,
    model: null,
    metadata: endUser === null ? {} : { end_user: endUser },
    maxCreditsMicros: null,
  });
  if ("replayed" in run) throw new Error("it has no key");
  return memoryPort(run, agentId);
}

const texts = async (endUser: string | null) =>
  (await (await portFor(endUser)).list(null)).map(({ text }) => text);

test("a call that is made again after a crash notes once", async () => {
  const port = await portFor("ada");
  const [first, again] = [
    await port.save("Likes tea.", "call-1"),
    await port.save("Likes tea.", "call-1"),
  ];
  expect(again).toEqual(first);
  await port.save("Likes figs.", "call-2");
  expect(await texts("ada")).toEqual(["Likes figs.", "Likes tea."]);
  expect(await texts(null)).toEqual([]);
});

test("of many notes at once as many stay as fit, and a repeated call finds its own", async () => {
  const port = await portFor("ada");
  await database.pool.query(
    `INSERT INTO agent_memories (id, account_id, agent_id, end_user, text, made_by_run,
       made_by_call)
     SELECT gen_random_uuid(), $1, $2, 'ada', 't', $3, n::text FROM generate_series(1, 197) n`,
    [owner.accountId, agentId, newId()],
  );
  const outcomes = await Promise.allSettled(
    Array.from({ length: 8 }, (_, n) => port.save(`Note ${n}`, `call-${n}`)),
  );
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
  const kept = outcomes.findIndex(({ status }) => status === "fulfilled");
  expect(await port.save(`Note ${kept}`, `call-${kept}`)).toMatchObject({ text: `Note ${kept}` });
  await expect(port.save("One more", "call-9")).rejects.toThrow(/No more notes/);
  await expect((await portFor("bob")).save("Of another", "call-1")).resolves.toBeTruthy();
});

test("notes are found by what they say", async () => {
  const port = await portFor(null);
  await port.save("Reports on Mondays, 100% in German.", "a");
  await port.save("Likes figs.", "b");
  expect((await port.list("100% IN")).map(({ text }) => text)).toEqual([
    "Reports on Mondays, 100% in German.",
  ]);
});

test("another account's notes are not there", async () => {
  const { id } = await (await portFor("ada")).save("Secretly likes tea.", "a");
  const stranger = await database.account();
  const page = { limit: 10, cursor: null, endUser: null };
  await expect(listMemories(stranger, agentId, page)).rejects.toMatchObject({
    code: "AGENT_NOT_FOUND",
  });
  await expect(updateMemory(stranger, agentId, id, "x")).rejects.toMatchObject({
    code: "AGENT_NOT_FOUND",
  });
  const theirs = (await newAgent(stranger)).id;
  await expect(deleteMemory(stranger, theirs, id)).rejects.toMatchObject({
    code: "MEMORY_NOT_FOUND",
  });
  expect(
    await memoryPort({ id: newId(), accountId: stranger.accountId }, agentId).list(null),
  ).toEqual([]);
  expect((await listMemories(owner, agentId, page)).data).toMatchObject([
    { id, text: "Secretly likes tea.", endUser: "ada" },
  ]);
});
