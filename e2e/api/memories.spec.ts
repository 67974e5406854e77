import type { ApiClient } from "../support/api-client";
import { expectError } from "../support/expect-answers";
import { textOfMessages } from "../support/model-script";
import { startRun, waitForRun } from "../support/runs";
import { test as base, expect } from "../support/test";

const note = (args: object) => ({
  tool_calls: [{ name: "memory", args: args as Record<string, unknown> }],
});

/**
 * Runs an agent that remembers, for one end-user, and gives all that its model was told in its last
 * call.
 */
const test = base.extend<{
  converse: (agentId: string, endUser: string | null, ...calls: object[]) => Promise<string>;
}>({
  converse: ({ api, script }, use) =>
    use(async (agentId, endUser, ...calls) => {
      const one = await script(...calls.map(note), { text: "Done." });
      const metadata = endUser === null ? {} : { end_user: endUser };
      const { run_id } = await startRun(api, {
        agent_id: agentId,
        input: { text: one.mark },
        metadata,
      });
      expect((await waitForRun(api, run_id)).status).toBe("completed");
      return textOfMessages((await one.calls()).at(-1));
    }),
});

const list = async (api: ApiClient, agentId: string, query = {}) =>
  (await api.get(`/v1/agents/${agentId}/memories`, { query })).as("MemoryPage").data;

test("what an agent notes in one conversation it is told in the next, per end-user", async ({
  api,
  newAgent,
  converse,
}) => {
  const { agent_id: id } = await newAgent({ config: { tools: { memory: true } } });
  await converse(id, "ada", { action: "save", text: "Ada likes tables." });
  await converse(id, "bob", { action: "save", text: "Bob likes prose." });
  const told = await converse(id, "ada");
  expect(told).toContain("Ada likes tables.");
  expect(told).not.toContain("Bob");
  expect(await converse(id, null)).not.toMatch(/Ada|Bob/);
  expect((await list(api, id)).map(({ end_user, text }) => [end_user, text])).toEqual([
    ["bob", "Bob likes prose."],
    ["ada", "Ada likes tables."],
  ]);
  expect((await list(api, id, { end_user: "ada" })).map(({ text }) => text)).toEqual([
    "Ada likes tables.",
  ]);
  expect(await list(api, id, { end_user: "" })).toEqual([]);
});

test("its owner reads, corrects and deletes a note, and the next run goes by that", async ({
  api,
  newAgent,
  converse,
}) => {
  const { agent_id: id } = await newAgent({ config: { tools: { memory: true } } });
  await converse(id, "ada", { action: "save", text: "Ada likes tables." });
  const [memory] = await list(api, id);
  const path = `/v1/agents/${id}/memories/${memory?.memory_id}`;
  expect((await api.get(path)).as("Memory")).toEqual(memory);
  expect((await api.patch(path, { text: "Ada likes charts." })).as("Memory")).toMatchObject({
    text: "Ada likes charts.",
    end_user: "ada",
  });
  expect(await converse(id, "ada")).toContain("Ada likes charts.");
  expect((await api.delete(path)).status).toBe(204);
  expectError(await api.get(path), 404, "MEMORY_NOT_FOUND");
  expect(await converse(id, "ada")).not.toContain("Ada likes");
});

test("the model changes and deletes only notes of its own end-user", async ({
  api,
  newAgent,
  converse,
}) => {
  const { agent_id: id } = await newAgent({ config: { tools: { memory: true } } });
  await converse(id, "ada", { action: "save", text: "Ada likes tables." });
  const memory_id = (await list(api, id))[0]?.memory_id;
  expect(await converse(id, "bob", { action: "update", memory_id, text: "Taken over." })).toContain(
    "There is no such note",
  );
  expect(await converse(id, "bob", { action: "delete", memory_id })).toContain(
    "There is no such note",
  );
  await converse(id, "ada", { action: "update", memory_id, text: "Ada likes charts." });
  expect((await list(api, id)).map(({ text }) => text)).toEqual(["Ada likes charts."]);
  await converse(id, "ada", { action: "delete", memory_id });
  expect(await list(api, id)).toEqual([]);
});

test("without tools.memory an agent has no such tool and is told of no notes", async ({
  newAgent,
  converse,
}) => {
  const { agent_id: id } = await newAgent();
  const told = await converse(id, "ada", { action: "save", text: "x" });
  expect(told).toContain('There is no tool \\"memory\\"');
  expect(told).not.toContain("<memory>");
});
