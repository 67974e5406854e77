import { expectError } from "../support/expect-answers";
import { textOfMessages } from "../support/model-script";
import { startRun, waitForRun } from "../support/runs";
import { expect, test } from "../support/test";

test("a continued conversation carries earlier questions and answers to the model", async ({
  api,
  script,
}) => {
  const first = await script({ text: "The capital is Reykjavik." });
  const one = await waitForRun(
    api,
    (await startRun(api, { input: { question: `Capital of Iceland? ${first.mark}` } })).run_id,
  );
  const second = await script({ text: "About 140,000." });
  const two = await startRun(api, {
    input: { question: `How many live there? ${second.mark}` },
    conversation_id: one.conversation_id,
  });
  expect(two.conversation_id).toBe(one.conversation_id);
  expect((await waitForRun(api, two.run_id)).status).toBe("completed");
  const told = textOfMessages((await second.calls())[0]);
  const places = ["Capital of Iceland?", "The capital is Reykjavik.", "How many live there?"].map(
    (text) => told.indexOf(text),
  );
  expect(places.every((place) => place >= 0)).toBe(true);
  expect(places).toEqual([...places].sort((a, b) => a - b));
});

test("without a conversation_id every run gets its own conversation without context", async ({
  api,
  script,
}) => {
  const [first, second] = [await script({ text: "a" }), await script({ text: "b" })];
  const one = await waitForRun(
    api,
    (await startRun(api, { input: { text: `UNIQUE-WORDS ${first.mark}` } })).run_id,
  );
  const two = await waitForRun(api, (await startRun(api, { input: { text: second.mark } })).run_id);
  expect(two.conversation_id).not.toBe(one.conversation_id);
  expect(textOfMessages((await second.calls())[0])).not.toContain("UNIQUE-WORDS");
});

test("of twenty starts at once in a conversation one is accepted, the rest are busy", async ({
  api,
  script,
}) => {
  const done = await script({ text: "ok" });
  const { conversation_id } = await waitForRun(
    api,
    (await startRun(api, { input: { text: done.mark } })).run_id,
  );
  const held = await script({ text: "later", hold_first: true });
  const body = { input: { text: held.mark }, conversation_id };
  const answers = await Promise.all(Array.from({ length: 20 }, () => api.post("/v1/runs", body)));
  const accepted = answers.filter((answer) => answer.status === 202);
  expect(accepted).toHaveLength(1);
  for (const answer of answers.filter((each) => each.status !== 202))
    expectError(answer, 409, "CONVERSATION_BUSY");
  expectError(await api.post("/v1/realtime/runs", body), 409, "CONVERSATION_BUSY");
  await held.release();
  await waitForRun(api, accepted[0]?.as("Run").run_id ?? "");
  expect((await api.post("/v1/runs", { ...body, input: { text: done.mark } })).status).toBe(202);
});

test("a failed run frees its conversation", async ({ api, script }) => {
  const bad = await script({ status: 400 });
  const { conversation_id } = await waitForRun(
    api,
    (await startRun(api, { input: { text: bad.mark } })).run_id,
  );
  const good = await script({ text: "ok" });
  expect(
    (
      await waitForRun(
        api,
        (
          await startRun(api, { input: { text: good.mark }, conversation_id })
        ).run_id,
      )
    ).status,
  ).toBe("completed");
});

test("a conversation cannot be used in another family, either way", async ({ api, script }) => {
  const run = await script({ text: "ok" });
  const ofRun = (await waitForRun(api, (await startRun(api, { input: { text: run.mark } })).run_id))
    .conversation_id;
  const building = await script({ text: "no" });
  const ofCreation = (
    await waitForRun(api, (await api.post("/v1/agents", { input: building.mark })).as("Run").run_id)
  ).conversation_id;
  expectError(
    await api.post("/v1/agents", { input: "x", conversation_id: ofRun }),
    404,
    "CONVERSATION_NOT_FOUND",
  );
  for (const path of ["/v1/runs", "/v1/realtime/runs"]) {
    expectError(
      await api.post(path, { input: {}, conversation_id: ofCreation }),
      404,
      "CONVERSATION_NOT_FOUND",
    );
  }
});
