import { expectError } from "../support/expect-answers";
import { startRun, waitForRun } from "../support/runs";
import { expect, test } from "../support/test";
import { MALFORMED_IDS, UNKNOWN_IDS } from "../support/unknown-ids";

test("a conversation is read with everything that was said in it, in order", async ({
  api,
  script,
}) => {
  const one = await script({ text: "Reykjavik." }, { text: "About 140,000." });
  const first = await waitForRun(
    api,
    (await startRun(api, { input: { question: `Capital? ${one.mark}` } })).run_id,
  );
  const { conversation_id } = first;
  const second = await waitForRun(
    api,
    (await startRun(api, { input: { question: `How many? ${one.mark}` }, conversation_id })).run_id,
  );
  const read = (await api.get(`/v1/conversations/${conversation_id}`)).as(
    "ConversationWithMessages",
  );
  expect(read).toMatchObject({
    conversation_id,
    family: "agent",
    active_run_id: null,
    has_more: false,
    next_cursor: null,
  });
  expect(read.messages.map(({ role, text, run_id }) => ({ role, text, run_id }))).toEqual([
    { role: "user", text: `Capital? ${one.mark}`, run_id: first.run_id },
    { role: "assistant", text: "Reykjavik.", run_id: first.run_id },
    { role: "user", text: `How many? ${one.mark}`, run_id: second.run_id },
    { role: "assistant", text: "About 140,000.", run_id: second.run_id },
  ]);
  const newest = (
    await api.get(`/v1/conversations/${conversation_id}`, { query: { limit: 3 } })
  ).as("ConversationWithMessages");
  expect(newest.messages).toEqual(read.messages.slice(1));
  const earlier = await api.get(`/v1/conversations/${conversation_id}`, {
    query: { limit: 3, cursor: String(newest.next_cursor) },
  });
  expect(earlier.as("ConversationWithMessages")).toMatchObject({
    messages: read.messages.slice(0, 1),
    has_more: false,
  });
});

test("the list is newest first, by family, and its pages stay whole while some are added", async ({
  newAccount,
  newAgent,
  script,
}) => {
  const { api } = await newAccount();
  const one = await script({ text: "ok" });
  await newAgent({}, api);
  const made: (string | null)[] = [];
  for (let n = 0; n < 3; n++)
    made.unshift((await startRun(api, { input: { text: one.mark } })).conversation_id);
  const first = (await api.get("/v1/conversations", { query: { limit: 2, family: "agent" } })).as(
    "ConversationPage",
  );
  await startRun(api, { input: { text: one.mark } });
  const second = (
    await api.get("/v1/conversations", {
      query: { limit: 2, family: "agent", cursor: String(first.next_cursor) },
    })
  ).as("ConversationPage");
  expect([...first.data, ...second.data].map((row) => row.conversation_id)).toEqual(made);
  expect(
    (await api.get("/v1/conversations", { query: { family: "creation" } })).as("ConversationPage")
      .data,
  ).toHaveLength(1);
  expect((await api.get("/v1/conversations")).as("ConversationPage").data).toHaveLength(5);
});

test("a busy conversation names its run and stays; later it is deleted, its runs readable", async ({
  api,
  script,
}) => {
  const held = await script({ text: "later", hold_first: true });
  const run = await startRun(api, { input: { text: held.mark } });
  const path = `/v1/conversations/${run.conversation_id}`;
  expect((await api.get(path)).as("Conversation").active_run_id).toBe(run.run_id);
  expectError(await api.delete(path), 409, "CONVERSATION_BUSY");
  await held.release();
  const ended = await waitForRun(api, run.run_id);
  expect(ended.status).toBe("completed");
  const deleted = await api.delete(path);
  expect([deleted.status, deleted.text]).toEqual([204, ""]);
  expectError(await api.get(path), 404, "CONVERSATION_NOT_FOUND");
  expectError(await api.delete(path), 404, "CONVERSATION_NOT_FOUND");
  expectError(
    await api.post("/v1/runs", { input: {}, conversation_id: run.conversation_id }),
    404,
    "CONVERSATION_NOT_FOUND",
  );
  expect((await api.get(`/v1/runs/${run.run_id}`)).as("Run")).toEqual(ended);
});

test("malformed ids and query keys are refused, missing ones are not found", async ({ api }) => {
  for (const id of MALFORMED_IDS) {
    expectError(await api.get(`/v1/conversations/${id}`), 400, "INVALID_INPUT", "conversation_id");
    expectError(
      await api.delete(`/v1/conversations/${id}`),
      400,
      "INVALID_INPUT",
      "conversation_id",
    );
  }
  for (const id of UNKNOWN_IDS) {
    expectError(await api.get(`/v1/conversations/${id}`), 404, "CONVERSATION_NOT_FOUND");
    expectError(await api.delete(`/v1/conversations/${id}`), 404, "CONVERSATION_NOT_FOUND");
  }
  for (const query of [{ limit: "0" }, { limit: "101" }, { cursor: "nonsense" }, { family: "app" }])
    expectError(
      await api.get("/v1/conversations", { query }),
      400,
      "INVALID_INPUT",
      Object.keys(query)[0],
    );
  expectError(
    await api.get(`/v1/conversations/${UNKNOWN_IDS[0]}`, { query: { limit: "0" } }),
    400,
    "INVALID_INPUT",
    "limit",
  );
});
