import { expectError } from "../support/expect-answers";
import { startRun, waitForRun } from "../support/runs";
import { expect, test } from "../support/test";
import { until } from "../support/until";

test("a person is listed, limited, exported and erased; a new one takes the name", async ({
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

test("a person's secret is kept apart from the account's, usage by person", async ({
  newAccount,
  script,
}) => {
  const { api } = await newAccount({ credits: 1_000 });
  const hosts = { allowed_hosts: ["api.example.com"] };
  const ada = { end_user: "ada" };
  await api.post("/v1/secrets", { name: "KEY", value: "all", ...hosts });
  const made = await api.post("/v1/secrets", { name: "KEY", value: "of-ada", ...ada, ...hosts });
  expect(made.status).toBe(201);
  expect(made.headers.get("location")).toBe("/v1/secrets/KEY?end_user=ada");
  expect(made.json()).toMatchObject({ name: "KEY", end_user: "ada" });
  expect((await api.get("/v1/secrets/KEY")).json()).not.toHaveProperty("end_user");
  expect((await api.get("/v1/secrets")).json()).toMatchObject({ data: [{ name: "KEY" }] });
  for (const query of [ada, { end_user: "bob" }])
    expect(((await api.get("/v1/secrets", { query })).json() as { data: [] }).data).toHaveLength(
      query.end_user === "ada" ? 1 : 0,
    );
  const differs = { value: "x", end_user: "bob" };
  expectError(
    await api.put("/v1/secrets/KEY?end_user=ada", differs),
    400,
    "INVALID_INPUT",
    "end_user",
  );
  expectError(await api.put("/v1/secrets/KEY", differs), 404, "SECRET_NOT_FOUND");
  await api.put("/v1/secrets/KEY", { value: "of-ada, anew", ...ada });
  expectError(
    await api.post("/v1/connections", {
      ...{ server_url: process.env.E2E_OAUTH_MCP_URL, end_user: "ada" },
      return_url: "https://evil.example.com/",
    }),
    400,
    "INVALID_INPUT",
    "return_url",
  );
  expect((await api.delete("/v1/secrets/KEY?end_user=ada")).status).toBe(204);
  expect((await api.get("/v1/secrets/KEY")).status).toBe(200);

  const { mark } = await script({ text: "Noted." });
  const person = "=1+1";
  await waitForRun(api, (await startRun(api, { input: { text: mark }, end_user: person })).run_id);
  await waitForRun(api, (await startRun(api, { input: { text: mark } })).run_id);
  const before = (await api.get("/v1/account/usage")).json();
  expect(before).not.toHaveProperty("groups");
  const query = { group_by: "end_user,key", end_user: person };
  const grouped = (await api.get("/v1/account/usage", { query })).json();
  expect(grouped).toMatchObject({
    groups: [{ end_user: person, key_id: expect.any(String), runs: 1 }],
    groups_truncated: false,
  });
  const byDay = (await api.get("/v1/account/usage", { query: { end_user: person } })).json();
  expect(byDay).toMatchObject({ groups: [{ day: expect.any(String), runs: 1 }] });
  const table = await api.get("/v1/account/usage", {
    query: { group_by: "end_user" },
    headers: { accept: "text/csv" },
  });
  expect(table.headers.get("content-type")).toBe("text/csv; charset=utf-8; header=present");
  const lines = table.text.split("\r\n");
  expect(lines[0]).toBe("end_user,credits,runs,input_tokens,output_tokens,cached_input_tokens");
  expect(
    lines
      .slice(1)
      .map((line) => line.split(",")[0])
      .sort(),
  ).toEqual(["", "", `'${person}`]);
  for (const bad of [
    { group_by: "nothing" },
    { group_by: "day", from: "2026-01-01", to: "2026-12-31" },
    { group_by: "day", from: "yesterday" },
  ])
    expectError(await api.get("/v1/account/usage", { query: bad }), 400, "INVALID_INPUT");
});
