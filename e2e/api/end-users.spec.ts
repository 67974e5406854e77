import { expectError } from "../support/expect-answers";
import { startRun, waitForRun } from "../support/runs";
import { expect, test } from "../support/test";
import { until } from "../support/until";

test("a person is listed, limited, exported and erased, and the receipt gives way to a new one of the name", async ({
  api,
  script,
}) => {
  const name = "ada/lovelace ü";
  const path = `/v1/end-users/${encodeURIComponent(name)}`;
  expectError(await api.get(path), 404, "END_USER_NOT_FOUND");
  const { mark } = await script({ text: "Noted." });
  const run = await startRun(api, { input: { text: mark }, end_user: name });
  await waitForRun(api, run.run_id);
  const fetched = (await api.get(`/v1/runs/${run.run_id}`)).json();
  expect(fetched).toMatchObject({ end_user: name, metadata: { end_user: name } });

  const listed = (await api.get("/v1/end-users")).json();
  expect(listed).toMatchObject({ data: [{ end_user: name, status: "active" }], has_more: false });
  expect((await api.get("/v1/runs", { query: { end_user: name } })).json()).toMatchObject({
    data: [{ run_id: run.run_id }],
  });
  expect((await api.get("/v1/runs", { query: { end_user: "eve" } })).json()).toMatchObject({
    data: [],
  });
  const differs = { input: {}, end_user: name, metadata: { end_user: "eve" } };
  expectError(await api.post("/v1/runs", differs), 400, "INVALID_INPUT", "end_user");
  const elsewhere = { input: {}, end_user: "eve", conversation_id: run.conversation_id };
  expectError(await api.post("/v1/runs", elsewhere), 404, "CONVERSATION_NOT_FOUND");

  await api.put(`${path}/limits`, { max_credits_per_day: 0.000001 });
  expectError(
    await api.post("/v1/runs", { input: {}, end_user: name }),
    402,
    "INSUFFICIENT_CREDITS",
  );
  await api.put(`${path}/limits`, { max_credits_per_day: null });

  const lines = (await api.get(`${path}/export`)).text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines.at(0)).toMatchObject({ type: "end_user", end_user: name });
  expect(lines.map(({ type }) => type)).toEqual(
    expect.arrayContaining(["run", "message", "conversation"]),
  );
  expect(lines.at(-1)).toEqual({ type: "end", lines: lines.length });

  const erased = await api.delete(path);
  expect(erased.status).toBe(202);
  const receipt = await until("the receipt", async () => {
    const answer = await api.get(path);
    return answer.status === 410 ? answer : null;
  });
  expectError(receipt, 410, "END_USER_ERASED");
  expect(receipt.json()).toMatchObject({
    deleted: { runs: 1, conversations: 1, memories: 0, files: 0, artifacts: 0, requests: 0 },
  });
  for (const each of [await api.get(`${path}/export`), await api.delete(path)])
    expectError(each, 410, "END_USER_ERASED");
  expectError(await api.get(`/v1/runs/${run.run_id}`), 404, "RUN_NOT_FOUND");

  await startRun(api, { input: { text: mark }, metadata: { end_user: name } });
  expect((await api.get(path)).json()).toMatchObject({ status: "active", counts: { runs: 1 } });
});
