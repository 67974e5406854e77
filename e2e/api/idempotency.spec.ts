import { randomUUID } from "node:crypto";
import { expectError } from "../support/expect-answers";
import { waitForRun } from "../support/runs";
import { expect, test } from "../support/test";

const withKey = (key = randomUUID() as string) => ({ headers: { "idempotency-key": key } });

test("the same key and body replay the first answer and start nothing, even after the end", async ({
  newAccount,
  script,
}) => {
  const { api } = await newAccount();
  const one = await script({ text: "once" });
  const options = withKey();
  const body = { input: { text: one.mark } };
  const first = await api.post("/v1/runs", body, options);
  expect([first.status, first.header("idempotency-replayed")]).toEqual([202, null]);
  await waitForRun(api, first.as("Run").run_id);
  const again = await api.post("/v1/runs", body, options);
  expect([again.status, again.header("idempotency-replayed"), again.text]).toEqual([
    202,
    "true",
    first.text,
  ]);
  expect((await api.get("/v1/runs")).as("RunPage").data).toHaveLength(1);
  expect(await one.calls()).toHaveLength(1);
});

test("the same key with another body is a conflict, and starts nothing", async ({
  newAccount,
  script,
}) => {
  const { api } = await newAccount();
  const one = await script({ text: "once" });
  const options = withKey();
  expect((await api.post("/v1/runs", { input: { text: one.mark } }, options)).status).toBe(202);
  expectError(
    await api.post("/v1/runs", { input: { text: `${one.mark}!` } }, options),
    409,
    "IDEMPOTENCY_CONFLICT",
  );
  expect((await api.get("/v1/runs")).as("RunPage").data).toHaveLength(1);
});

test("of twenty requests with one key one starts a run; the rest replay it or conflict", async ({
  newAccount,
  script,
}) => {
  const { api } = await newAccount();
  const one = await script({ text: "once" });
  const options = withKey();
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => api.post("/v1/runs", { input: { text: one.mark } }, options)),
  );
  const accepted = answers.filter((answer) => answer.status === 202);
  expect(accepted.filter((answer) => answer.header("idempotency-replayed") === null)).toHaveLength(
    1,
  );
  expect(new Set(accepted.map((answer) => answer.as("Run").run_id)).size).toBe(1);
  for (const answer of answers.filter((each) => each.status !== 202))
    expectError(answer, 409, "IDEMPOTENCY_CONFLICT");
  expect((await api.get("/v1/runs")).as("RunPage").data).toHaveLength(1);
});

test("a key belongs to one account and one route", async ({ api, stranger, script }) => {
  const [one, two] = [await script({ text: "a" }), await script({ text: "b" })];
  const options = withKey();
  const mine = await api.post("/v1/runs", { input: { text: one.mark } }, options);
  const theirs = await stranger.api.post("/v1/runs", { input: { text: one.mark } }, options);
  const creation = await api.post("/v1/agents", { input: two.mark }, options);
  const answers = [mine, theirs, creation];
  expect(answers.map((answer) => answer.status)).toEqual([202, 202, 202]);
  expect(new Set(answers.map((answer) => answer.as("Run").run_id)).size).toBe(3);
});

test("a creation is replayed too", async ({ api, script }) => {
  const one = await script({ text: "no" });
  const options = withKey();
  const first = await api.post("/v1/agents", { input: one.mark }, options);
  const again = await api.post("/v1/agents", { input: one.mark }, options);
  expect([again.status, again.header("idempotency-replayed"), again.text]).toEqual([
    202,
    "true",
    first.text,
  ]);
});

test("a request that validation refused stores nothing under its key", async ({ api, script }) => {
  const one = await script({ text: "ok" });
  const options = withKey();
  expectError(await api.post("/v1/runs", { input: 1 }, options), 400, "INVALID_INPUT");
  const response = await api.post("/v1/runs", { input: { text: one.mark } }, options);
  expect([response.status, response.header("idempotency-replayed")]).toEqual([202, null]);
});

test("a key may have 255 characters and not one more", async ({ api, script }) => {
  const one = await script({ text: "ok" });
  const key = randomUUID().padEnd(255, "k");
  expect((await api.post("/v1/runs", { input: { text: one.mark } }, withKey(key))).status).toBe(
    202,
  );
  expectError(
    await api.post("/v1/runs", { input: { text: one.mark } }, withKey(`${key}k`)),
    400,
    "INVALID_INPUT",
  );
});
