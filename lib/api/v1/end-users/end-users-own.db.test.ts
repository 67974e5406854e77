import { afterAll, beforeAll, expect, test } from "vitest";
import { type ApiSurface, dispatch } from "@/lib/api/http/dispatch";
import { accountSurface } from "@/lib/api/v1/account-surface";
import { chargeRun } from "@/lib/domain/credits/ledger";
import type { Principal } from "@/lib/domain/principal";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { startTestRun } from "@/lib/domain/test/start-test-run";
import { transaction } from "@/lib/platform/postgres";

const ORIGIN = "http://localhost:3000";

let database: DomainDatabase;
let owner: Principal;

beforeAll(async () => {
  database = await openDomainDatabase({
    env: {
      CHECK_RESPONSES: "true",
      ENCRYPTION_KEYS: JSON.stringify([{ id: "k1", key: Buffer.alloc(32, 7).toString("base64") }]),
    },
  });
  owner = await database.account();
});
afterAll(() => database.close());

/** `/v1` as the account's own key opens it. */
async function ask(method: string, path: string, body?: object, accept?: string) {
  const surface: ApiSurface = {
    ...accountSurface,
    authenticate: async () => ({ principal: { ...owner, writePerHour: 1_000 }, budget: null }),
  };
  const answer = await dispatch(
    surface,
    new Request(`${ORIGIN}${path}`, {
      method,
      headers: { "content-type": "application/json", ...(accept && { accept }) },
      ...(body && { body: JSON.stringify(body) }),
    }),
  );
  const text = await answer.text();
  const isJson = answer.headers.get("content-type")?.startsWith("application/json");
  return { status: answer.status, headers: answer.headers, text, json: isJson && JSON.parse(text) };
}

const HOSTS = { allowed_hosts: ["api.example.com"] };

test("without end_user answers about secrets are the account's, by field", async () => {
  const made = await ask("POST", "/v1/secrets", { name: "KEY", value: "all", ...HOSTS });
  expect(made.headers.get("location")).toBe("/v1/secrets/KEY");
  const fields = [
    "name",
    "description",
    "allowed_hosts",
    "created_at",
    "updated_at",
    "last_used_at",
  ];
  expect(Object.keys(made.json)).toEqual(fields);
  const theirs = { name: "KEY", value: "of-ada", end_user: "ada/ü", ...HOSTS };
  const path = `/v1/secrets/KEY?end_user=${encodeURIComponent("ada/ü")}`;
  const of = await ask("POST", "/v1/secrets", theirs);
  expect(of).toMatchObject({ status: 201, json: { name: "KEY", end_user: "ada/ü" } });
  expect(of.headers.get("location")).toBe(path);
  for (const [asked, keys] of [
    ["/v1/secrets/KEY", fields],
    [path, ["name", "end_user", ...fields.slice(1)]],
  ] as const) {
    const answer = await ask("GET", asked);
    expect([answer.status, Object.keys(answer.json)]).toEqual([200, keys]);
  }
  expect((await ask("GET", "/v1/secrets")).json.data).toHaveLength(1);
  const differs = { value: "x", end_user: "bob" };
  expect((await ask("PUT", path, differs)).json).toMatchObject({
    error: "INVALID_INPUT",
    details: [{ path: "end_user" }],
  });
  expect((await ask("PUT", "/v1/secrets/KEY", differs)).status).toBe(404);
  expect((await ask("PUT", path, { value: "x" })).json).toMatchObject({ end_user: "ada/ü" });
  expect((await ask("DELETE", path)).status).toBe(204);
  expect((await ask("DELETE", path)).status).toBe(404);
  expect((await ask("GET", "/v1/secrets/KEY")).status).toBe(200);
});

test("usage without group_by is as it was; with it there are groups, or a table", async () => {
  const plain = ["credits", "used_24h", "by_model", "by_agent", "by_day", "window_start"];
  expect(Object.keys((await ask("GET", "/v1/account/usage")).json)).toEqual(plain);
  const endUser = '=HYPERLINK("x"), ü';
  const run = await startTestRun(owner, { endUser });
  await transaction((tx) =>
    chargeRun(tx, {
      ...{ runId: run.id, accountId: owner.accountId, maxMicros: null, rootId: null },
      ...{ agentId: null, stepKey: "turn-0", model: "m", capability: "chat", units: 0 },
      ...{ micros: 1_500_000n, keepMicros: 0n },
      ...{ inputTokens: 7, outputTokens: 3, cachedInputTokens: 0 },
    }),
  );
  const grouped = await ask("GET", "/v1/account/usage?group_by=end_user,key");
  expect(Object.keys(grouped.json)).toEqual([...plain, "groups", "groups_truncated", "from", "to"]);
  expect(grouped.json.groups).toEqual([
    {
      ...{ end_user: endUser, key_id: null, key_name: null, credits: 1.5, runs: 1 },
      ...{ input_tokens: 7, output_tokens: 3, cached_input_tokens: 0 },
    },
  ]);
  const table = await ask("GET", "/v1/account/usage?group_by=end_user", undefined, "text/csv");
  expect(table.headers.get("content-type")).toBe("text/csv; charset=utf-8; header=present");
  expect(table.headers.get("content-disposition")).toMatch(
    /^attachment; filename="usage-\d{4}-\d\d-\d\d-\d{4}-\d\d-\d\d\.csv"$/,
  );
  expect(table.text).toBe(
    "end_user,credits,runs,input_tokens,output_tokens,cached_input_tokens\r\n" +
      '"\'=HYPERLINK(""x""), ü",1.5,1,7,3,0\r\n',
  );
  const today = new Date().toISOString().slice(0, 10);
  const byDay = await ask("GET", "/v1/account/usage", undefined, "text/csv, */*;q=0.1");
  expect(byDay.text.split("\r\n")[1]).toBe(`${today},1.5,1,7,3,0`);
  for (const query of [`from=${today}`, `to=${today}`, `end_user=${encodeURIComponent(endUser)}`]) {
    const { json } = await ask("GET", `/v1/account/usage?${query}`);
    expect([query, json.groups]).toMatchObject([query, [{ day: today, credits: 1.5, runs: 1 }]]);
  }
  const nobodys = (await ask("GET", "/v1/account/usage?end_user=nobody")).json;
  expect([nobodys.groups, nobodys.groups_truncated]).toEqual([[], false]);
  for (const query of [
    "group_by=",
    "from=2026-01-01&to=2026-02-01",
    "group_by=nothing",
    "group_by=day,account",
    "group_by=day&from=2026-13-01",
    "group_by=day&from=2026-01-01&to=2026-02-01",
    "group_by=day&from=2026-02-02&to=2026-02-01",
  ])
    expect([query, (await ask("GET", `/v1/account/usage?${query}`)).status]).toEqual([query, 400]);
});
