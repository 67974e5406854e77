import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { appSurface } from "@/lib/api/apps/app-surface";
import { dispatch } from "@/lib/api/http/dispatch";
import { accountSurface } from "@/lib/api/v1/account-surface";
import { authenticateKey } from "@/lib/domain/keys/authenticate-key";
import { createKey } from "@/lib/domain/keys/create-key";
import { revokeKey } from "@/lib/domain/keys/revoke-key";
import type { Principal } from "@/lib/domain/principal";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { insertTestAgent } from "@/lib/domain/test/insert-test-agent";
import { startTestRun } from "@/lib/domain/test/start-test-run";
import { createWorkspace } from "@/lib/domain/workspaces/create-workspace";
import { newId } from "@/lib/platform/ids";

const settings = {
  SIGNING_SECRET: "a secret of this test",
  IP_LIMIT_PER_MINUTE: "0",
  RATE_LIMIT_PER_MINUTE: "10000",
  LOG_LEVEL: "error",
  CHECK_RESPONSES: "true",
};

const PAGE = "https://app.example.com";
const OTHER_PAGE = "https://evil.example.com";

interface World {
  owner: Principal;
  key: string;
  keyId: string;
  agent: string;
  otherAgent: string;
  /** Ada's run of the agent, its conversation and its approval; and what she may not see. */
  ada: Places;
  grace: Places;
  nobody: Places;
  adaElsewhere: Places;
  adaByAccountKey: Places;
  workspace: string;
}

interface Places {
  run: string;
  conversation: string;
  approval: string;
}

let database: DomainDatabase;
let mine: World;
let theirs: World;

beforeAll(async () => {
  database = await openDomainDatabase({ env: settings });
  [mine, theirs] = [await makeWorld(), await makeWorld()];
});
// One person sends more here than they may in a minute.
beforeEach(() => database.pool.query("DELETE FROM minute_buckets"));
afterAll(() => database.close());

async function makeWorld(): Promise<World> {
  const account = await database.account();
  const made = await createKey(account, { name: "backend", agentId: null, expiresAt: null });
  const owner = (await authenticateKey(made.apiKey, "account", "read"))?.principal ?? account;
  const [agent, otherAgent] = [await insertTestAgent(owner), await insertTestAgent(owner)];
  const places = async (
    endUser: string | null,
    agentId: string,
    kind: "app" | "agent" = "app",
  ): Promise<Places> => {
    const metadata: Record<string, string> = endUser === null ? {} : { end_user: endUser };
    const run = await startTestRun(owner, { agentId, metadata }, kind);
    const approval = newId();
    await database.pool.query(
      `INSERT INTO approvals (id, run_id, account_id, agent_id, tool_call_id, tool_name, arguments,
         summary, status, expires_at)
       VALUES ($1, $2, $3, $4, 'c', 'pay', '{"secret": "planted"}',
         'pay', 'pending', now() + interval '1 day')`,
      [approval, run.id, owner.accountId, agentId],
    );
    return { run: run.id, conversation: run.conversationId ?? "", approval };
  };
  return {
    owner,
    key: made.apiKey,
    keyId: made.id,
    agent: agent.id,
    otherAgent: otherAgent.id,
    ada: await places("ada", agent.id),
    grace: await places("grace", agent.id),
    nobody: await places(null, agent.id),
    adaElsewhere: await places("ada", otherAgent.id),
    adaByAccountKey: await places("ada", agent.id, "agent"),
    workspace: (await createWorkspace(owner, { name: "Space", description: null })).id,
  };
}

interface Ask {
  token?: string;
  origin?: string | null;
  method?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

async function ask(path: string, { token, origin = PAGE, method, body, headers }: Ask = {}) {
  const surface = path.startsWith("/api/v1/apps") ? appSurface : accountSurface;
  const request = new Request(`http://localhost${path}`, {
    method: method ?? (body === undefined ? "GET" : "POST"),
    headers: {
      host: "localhost",
      // Events are asked for as a page: a stream of a run that works would not end.
      accept: "application/json",
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(origin !== null && { origin }),
      ...(body !== undefined && { "content-type": "application/json" }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const answer = await dispatch(surface, request);
  const text = await answer.text();
  return {
    status: answer.status,
    code: text.startsWith("{") ? ((JSON.parse(text) as { error?: string }).error ?? null) : null,
    text,
    allowed: answer.headers.get("access-control-allow-origin"),
    headers: answer.headers,
  };
}

/** A token by the API itself; the fields are those of the request. */
async function tokenOf(world: World, more: Record<string, unknown> = {}): Promise<string> {
  const body = {
    agent_id: world.agent,
    end_user: "ada",
    can: ["run", "read", "message", "cancel", "approve"],
    origins: [PAGE],
    ...more,
  };
  const { status, text } = await ask("/v1/client-tokens", { token: world.key, body, origin: null });
  if (status !== 201) throw new Error(`${status} ${text}`);
  return (JSON.parse(text) as { token: string }).token;
}

const app = (agent: string, path = "") => `/api/v1/apps/${agent}${path}`;
const DECIDE = { body: { decision: "approve" } };
const START = { inputs: { request: "Do it." } };

/** Every letter of the token's parts counts. */
function altered(token: string, part: 0 | 1 | 2): string {
  const parts = token.split(".");
  const text = parts[part] ?? "";
  const at = text.length - 3;
  parts[part] = text.slice(0, at) + (text[at] === "1" ? "2" : "1") + text.slice(at + 1);
  return parts.join(".");
}

interface Attempt {
  what: string;
  to: () => Promise<Awaited<ReturnType<typeof ask>>>;
  expected: [status: number, code: string];
}

const good = () => tokenOf(mine);
const by = async (path: string, more: Ask = {}, token: Promise<string> = good()) =>
  ask(path, { ...more, token: await token });
const RUN = [404, "RUN_NOT_FOUND"] as [number, string];
const APPROVAL = [404, "APPROVAL_NOT_FOUND"] as [number, string];
const APP = [404, "APP_NOT_FOUND"] as [number, string];
const CONVERSATION = [404, "CONVERSATION_NOT_FOUND"] as [number, string];
const OUT = [401, "AUTHENTICATION_REQUIRED"] as [number, string];
const NO = [403, "FORBIDDEN"] as [number, string];

type Row = [what: string, to: Attempt["to"], expected: Attempt["expected"]];

const SAY = { input: "planted" };
const RAISE = { method: "PATCH", body: { maxCredits: 5 } };
const say = (agent: string, run: string, more: object = {}, can?: string[]) =>
  by(
    app(agent, `/runs/${run}/messages`),
    { body: { ...SAY, ...more } },
    can ? tokenOf(mine, { can }) : good(),
  );

/** Words to a run: for it, and for the one that comes after it. */
const SAYING = [{}, { when: "after" }].flatMap((more: { when?: string }): Row[] => {
  const to = (whose: string) => `words ${more.when ?? "now"} to ${whose}`;
  return [
    [to("another person's run"), () => say(mine.agent, mine.grace.run, more), RUN],
    [to("nobody's run"), () => say(mine.agent, mine.nobody.run, more), RUN],
    [to("one's run of another agent"), () => say(mine.agent, mine.adaElsewhere.run, more), RUN],
    [
      to("one's run under another agent"),
      () => say(mine.otherAgent, mine.adaElsewhere.run, more),
      APP,
    ],
    [
      to("one's run that an account key started"),
      () => say(mine.agent, mine.adaByAccountKey.run, more),
      RUN,
    ],
    [to("another account's run"), () => say(mine.agent, theirs.ada.run, more), RUN],
    [to("another account's agent"), () => say(theirs.agent, theirs.ada.run, more), APP],
    [
      to("one's run of another conversation, with a token of one"),
      async () => {
        const metadata = { end_user: "ada" };
        const other = await startTestRun(mine.owner, { agentId: mine.agent, metadata }, "app");
        return by(
          app(mine.agent, `/runs/${other.id}/messages`),
          { body: { ...SAY, ...more } },
          tokenOf(mine, { conversation_id: mine.ada.conversation }),
        );
      },
      RUN,
    ],
    [
      to("a run, without the power"),
      () => say(mine.agent, mine.ada.run, more, ["run", "read", "cancel", "approve"]),
      NO,
    ],
  ];
});

const ATTEMPTS: Row[] = [
  ["another person's run", () => by(app(mine.agent, `/runs/${mine.grace.run}`)), RUN],
  ["another person's events", () => by(app(mine.agent, `/runs/${mine.grace.run}/events`)), RUN],
  [
    "the cancel of another person's run",
    () => by(app(mine.agent, `/runs/${mine.grace.run}/cancel`), { method: "POST" }),
    RUN,
  ],
  [
    "tool results for another person's run",
    () =>
      by(app(mine.agent, `/runs/${mine.grace.run}/tool-results`), {
        body: { results: [{ toolCallId: "c", output: "planted" }] },
      }),
    RUN,
  ],
  ["a run of nobody", () => by(app(mine.agent, `/runs/${mine.nobody.run}`)), RUN],
  ["one's run of another agent", () => by(app(mine.agent, `/runs/${mine.adaElsewhere.run}`)), RUN],
  [
    "one's run that an account key started",
    () => by(app(mine.agent, `/runs/${mine.adaByAccountKey.run}`)),
    RUN,
  ],
  [
    "the run of another account's person of the same name",
    () => by(app(mine.agent, `/runs/${theirs.ada.run}`)),
    RUN,
  ],
  ["another agent's list", () => by(app(mine.otherAgent, "/runs")), APP],
  [
    "one's run under another agent",
    () => by(app(mine.otherAgent, `/runs/${mine.adaElsewhere.run}`)),
    APP,
  ],
  ["a start of another agent", () => by(app(mine.otherAgent, "/runs"), { body: START }), APP],
  ["another account's agent", () => by(app(theirs.agent, "/runs")), APP],
  [
    "another account's run under its agent",
    () => by(app(theirs.agent, `/runs/${theirs.ada.run}`)),
    APP,
  ],
  [
    "another person's approval",
    () => by(app(mine.agent, `/approvals/${mine.grace.approval}`)),
    APPROVAL,
  ],
  [
    "the decision of another person's approval",
    () => by(app(mine.agent, `/approvals/${mine.grace.approval}/resolve`), DECIDE),
    APPROVAL,
  ],
  [
    "the decision of nobody's approval",
    () => by(app(mine.agent, `/approvals/${mine.nobody.approval}/resolve`), DECIDE),
    APPROVAL,
  ],
  [
    "one's approval of another agent",
    () => by(app(mine.agent, `/approvals/${mine.adaElsewhere.approval}`)),
    APPROVAL,
  ],
  [
    "another account's approval",
    () => by(app(mine.agent, `/approvals/${theirs.ada.approval}/resolve`), DECIDE),
    APPROVAL,
  ],
  [
    "another person's conversation",
    () =>
      by(app(mine.agent, "/runs"), {
        body: { ...START, conversationId: mine.grace.conversation },
      }),
    CONVERSATION,
  ],
  [
    "a conversation of nobody",
    () =>
      by(app(mine.agent, "/runs"), {
        body: { ...START, conversationId: mine.nobody.conversation },
      }),
    CONVERSATION,
  ],
  [
    "one's conversation with another agent",
    () =>
      by(app(mine.agent, "/runs"), {
        body: { ...START, conversationId: mine.adaElsewhere.conversation },
      }),
    CONVERSATION,
  ],
  [
    "another account's conversation",
    () =>
      by(app(mine.agent, "/runs"), { body: { ...START, conversationId: theirs.ada.conversation } }),
    CONVERSATION,
  ],
  [
    "one's other conversation, with a token of one",
    async () => {
      const other = await startTestRun(
        mine.owner,
        { agentId: mine.agent, metadata: { end_user: "ada" } },
        "app",
      );
      return by(
        app(mine.agent, `/runs/${other.id}`),
        {},
        tokenOf(mine, { conversation_id: mine.ada.conversation }),
      );
    },
    RUN,
  ],
  [
    "a file store of the account's",
    () => by(app(mine.agent, "/runs"), { body: { ...START, workspaceId: mine.workspace } }),
    NO,
  ],
  [
    "results sent to an address of one's own",
    () =>
      by(app(mine.agent, "/runs"), { body: { ...START, webhookUrl: "https://evil.example.com" } }),
    NO,
  ],
  [
    "a dearer model",
    () => by(app(mine.agent, "/runs"), { body: { ...START, model: "builtin/offline" } }),
    NO,
  ],
  [
    "mail to the account's owner",
    () => by(app(mine.agent, "/runs"), { body: { ...START, shouldNotify: true } }),
    NO,
  ],
  [
    "a start without the power",
    () => by(app(mine.agent, "/runs"), { body: START }, tokenOf(mine, { can: ["read"] })),
    NO,
  ],
  [
    "reading without the power",
    () => by(app(mine.agent, `/runs/${mine.ada.run}`), {}, tokenOf(mine, { can: ["run"] })),
    NO,
  ],
  [
    "events without the power",
    () => by(app(mine.agent, `/runs/${mine.ada.run}/events`), {}, tokenOf(mine, { can: ["run"] })),
    NO,
  ],
  [
    "a cancel without the power",
    () =>
      by(
        app(mine.agent, `/runs/${mine.ada.run}/cancel`),
        { method: "POST" },
        tokenOf(mine, { can: ["run", "read"] }),
      ),
    NO,
  ],
  [
    "a decision without the power",
    () =>
      by(
        app(mine.agent, `/approvals/${mine.ada.approval}/resolve`),
        DECIDE,
        tokenOf(mine, { can: ["run", "read"] }),
      ),
    NO,
  ],
  ...SAYING,
  [
    "words for a run that is to come, without the power to start one",
    () => say(mine.agent, mine.ada.run, { when: "after" }, ["read", "message"]),
    NO,
  ],
  [
    "a run with a budget of its own will",
    () => by(app(mine.agent, "/runs"), { body: { ...START, onBudget: "wait" } }),
    NO,
  ],
  [
    "a higher limit of one's own run",
    () => by(app(mine.agent, `/runs/${mine.ada.run}`), RAISE),
    NO,
  ],
  [
    "a higher limit of another person's run",
    () => by(app(mine.agent, `/runs/${mine.grace.run}`), RAISE),
    NO,
  ],
  [
    "a start that says something to the run at work, without the power",
    () =>
      by(
        app(mine.agent, "/runs"),
        { body: { ...START, conversationId: mine.ada.conversation, ifBusy: "steer" } },
        tokenOf(mine, { can: ["run", "read", "cancel"] }),
      ),
    NO,
  ],
  [
    "a start that cancels the run at work, without the power",
    () =>
      by(
        app(mine.agent, "/runs"),
        { body: { ...START, conversationId: mine.ada.conversation, ifBusy: "interrupt" } },
        tokenOf(mine, { can: ["run", "read", "message"] }),
      ),
    NO,
  ],
  ["a page of another origin", () => by(app(mine.agent, "/runs"), { origin: OTHER_PAGE }), NO],
  ["a page without an origin", () => by(app(mine.agent, "/runs"), { origin: "null" }), NO],
  [
    "a page of the same host and another port",
    () => by(app(mine.agent, "/runs"), { origin: `${PAGE}:8443` }),
    NO,
  ],
  [
    "a page without TLS",
    () => by(app(mine.agent, "/runs"), { origin: PAGE.replace("https", "http") }),
    NO,
  ],
  [
    "a token with a later end",
    async () => ask(app(mine.agent, "/runs"), { token: altered(await good(), 0) }),
    OUT,
  ],
  [
    "a token with other claims",
    async () => ask(app(mine.agent, "/runs"), { token: altered(await good(), 1) }),
    OUT,
  ],
  [
    "a token with another signature",
    async () => ask(app(mine.agent, "/runs"), { token: altered(await good(), 2) }),
    OUT,
  ],
  [
    "claims that nobody signed",
    () => {
      const claims = Buffer.from(JSON.stringify({ agent: mine.agent, user: "ada" }));
      return ask(app(mine.agent, "/runs"), {
        token: `client_9999999999.${claims.toString("base64url")}.`,
      });
    },
    OUT,
  ],
  [
    "a token whose time is over",
    async () => {
      const token = await tokenOf(mine, { expires_in: 60 });
      vi.setSystemTime(Date.now() + 62_000);
      try {
        return await ask(app(mine.agent, "/runs"), { token });
      } finally {
        vi.setSystemTime(vi.getRealSystemTime());
      }
    },
    OUT,
  ],
  [
    "a token of a revoked key",
    async () => {
      const key = await createKey(mine.owner, { name: "gone", agentId: null, expiresAt: null });
      const token = await tokenOf({ ...mine, key: key.apiKey });
      await revokeKey(mine.owner, key.id);
      return ask(app(mine.agent, "/runs"), { token });
    },
    OUT,
  ],
  ["the account's runs", () => by("/v1/runs"), OUT],
  ["one's own run under the account's path", () => by(`/v1/runs/${mine.ada.run}`), OUT],
  ["the account's agents", () => by("/v1/agents"), OUT],
  ["the account's secrets", () => by("/v1/secrets"), OUT],
  [
    "another token",
    () =>
      by("/v1/client-tokens", {
        body: { agent_id: mine.agent, end_user: "grace", origins: [PAGE] },
      }),
    OUT,
  ],
];

test("there are seventy attempts at least", () =>
  expect(ATTEMPTS.length).toBeGreaterThanOrEqual(70));

test.each(ATTEMPTS)("%s is refused", async (_, to, [status, code]) => {
  const answer = await to();
  expect([answer.status, answer.code]).toEqual([status, code]);
  expect(answer.text).not.toContain("planted");
  // Nothing that a page of an origin that the token does not name could read.
  expect([PAGE, null]).toContain(answer.allowed);
});

test("nothing was said to anybody by those attempts", async () => {
  const { rows } = await database.pool.query("SELECT run_id FROM run_messages");
  expect(rows).toEqual([]);
});

test("with the powers one says something to one's own run, and what comes after it", async () => {
  const own = await startTestRun(
    mine.owner,
    { agentId: mine.agent, metadata: { end_user: "ada" } },
    "app",
  );
  const [now, later] = [
    await say(mine.agent, own.id, {}, ["message"]),
    await say(mine.agent, own.id, { when: "after" }, ["run", "message"]),
  ];
  expect([now.status, later.status]).toEqual([202, 202]);
  expect(JSON.parse(now.text)).toMatchObject({ position: 1, nextRunId: null });
  const { nextRunId } = JSON.parse(later.text) as { nextRunId: string };
  const next = await ask(app(mine.agent, `/runs/${nextRunId}`), { token: await good() });
  expect(JSON.parse(next.text)).toMatchObject({ metadata: { end_user: "ada" } });
});

test("a list of runs or approvals holds one's own alone, whatever is asked", async () => {
  const token = await good();
  const list = async (path: string) => {
    const { status, text } = await ask(app(mine.agent, path), { token });
    expect(status).toBe(200);
    return (JSON.parse(text) as { data: Record<string, string>[] }).data;
  };
  const own = (rows: Record<string, string>[], name: string) => rows.map((row) => row[name]);
  expect(own(await list("/runs"), "runId")).toContain(mine.ada.run);
  for (const row of await list("/runs?limit=100"))
    expect(row).toMatchObject({ appId: mine.agent, metadata: { end_user: "ada" } });
  expect(await list("/runs?metadata[end_user]=grace")).toEqual([]);
  expect(await list(`/runs?conversationId=${mine.grace.conversation}`)).toEqual([]);
  expect(own(await list("/approvals?limit=100"), "approvalId")).toEqual([mine.ada.approval]);
  expect(await list(`/approvals?runId=${mine.grace.run}`)).toEqual([]);
});

test("a run is its token's person's whatever its metadata, read by its page", async () => {
  const answer = await by(app(mine.agent, "/runs"), {
    body: { ...START, metadata: { end_user: "grace", topic: "t" } },
  });
  expect([answer.status, answer.allowed]).toEqual([202, PAGE]);
  expect(answer.headers.get("vary")).toBe("Origin");
  expect(answer.headers.get("access-control-allow-credentials")).toBeNull();
  expect(JSON.parse(answer.text)).toMatchObject({ metadata: { end_user: "ada", topic: "t" } });
});

test("two persons' equal Idempotency-Keys and bodies start a run each", async () => {
  const headers = { "idempotency-key": newId() };
  const start = async (endUser: string) => {
    const { text } = await by(
      app(mine.agent, "/runs"),
      { body: START, headers },
      tokenOf(mine, { end_user: endUser }),
    );
    return (JSON.parse(text) as { runId: string }).runId;
  };
  const [one, two] = [await start("linus"), await start("margaret")];
  expect(one).not.toBe(two);
  expect(await start("linus")).toBe(one);
});

test("a refusal for want of credits does not say what the account has", async () => {
  const poor = await makeWorld();
  await database.pool.query("UPDATE accounts SET available_micros = 0 WHERE id = $1", [
    poor.owner.accountId,
  ]);
  const path = app(poor.agent, "/runs");
  for (const answer of [
    await by(path, { body: START }, tokenOf(poor)),
    await by(
      `${path}/${poor.ada.run}/messages`,
      { body: { ...SAY, when: "after" } },
      tokenOf(poor),
    ),
  ]) {
    expect(answer.status).toBe(402);
    expect(Object.keys(JSON.parse(answer.text) as object)).toEqual(["error", "message"]);
    expect(answer.text).not.toMatch(/\d/);
  }
});

test("an app key's refusal has its fields in camelCase, the run's bound too", async () => {
  const key = await createKey(mine.owner, { name: "b", agentId: mine.agent, expiresAt: null });
  const start = { inputs: START.inputs, conversationId: mine.nobody.conversation };
  const refused = async (path: string, body: object) => {
    const answer = await ask(app(mine.agent, path), { token: key.apiKey, origin: null, body });
    const {
      error: _,
      message: words,
      ...fields
    } = JSON.parse(answer.text) as Record<string, unknown>;
    return { status: answer.status, fields, words };
  };
  expect(await refused("/runs", { inputs: START.inputs, maxCredits: 0.000001 })).toEqual({
    status: 402,
    fields: {
      available: expect.any(Number),
      required: expect.any(Number),
      maxCredits: 0.000001,
    },
    words: expect.stringContaining("raise maxCredits"),
  });
  expect(await refused("/runs", start)).toEqual({
    status: 409,
    fields: { runId: mine.nobody.run },
    words: expect.any(String),
  });
  const { rows } = await database.pool.query<{ id: string }>(
    "UPDATE runs SET max_credits_micros = 1 WHERE id = $1 RETURNING id",
    [mine.nobody.run],
  );
  expect(
    await refused(`/runs/${rows[0]?.id}/messages`, { input: "And then?", when: "after" }),
  ).toMatchObject({ status: 402, fields: { maxCredits: 0.000001 } });
});

test("whether a page may ask is answered alike for every origin, without a token", async () => {
  const preflight = (origin: string, path: string) =>
    ask(path, {
      origin,
      method: "OPTIONS",
      headers: { "access-control-request-method": "POST" },
    });
  const answers = await Promise.all([
    preflight(PAGE, app(mine.agent, "/runs")),
    preflight(PAGE, app(theirs.agent, "/runs")),
    preflight(PAGE, app(newId(), "/runs")),
  ]);
  for (const answer of answers) {
    expect([answer.status, answer.text, answer.allowed]).toEqual([204, "", PAGE]);
    expect(answer.headers.get("vary")).toContain("Origin");
    expect(answer.headers.get("access-control-allow-methods")).toBe("POST, GET");
    expect(answer.headers.get("access-control-allow-credentials")).toBeNull();
  }
  expect((await preflight(OTHER_PAGE, app(mine.agent, "/runs"))).allowed).toBe(OTHER_PAGE);
  // The account's path has no pages at all.
  expect((await preflight(PAGE, "/v1/runs")).allowed).toBeNull();
});

test("an app key, and a request without a key, are answered for no page at all", async () => {
  const key = await createKey(mine.owner, { name: "a", agentId: mine.agent, expiresAt: null });
  const answers = [
    await ask(app(mine.agent, "/runs"), { token: key.apiKey }),
    await ask(app(mine.agent, "/runs")),
    await ask("/v1/runs", { token: mine.key }),
  ];
  expect(answers.map(({ status, allowed }) => [status, allowed])).toEqual([
    [200, null],
    [401, null],
    [200, null],
  ]);
});

test("an ended token's page reads that it needs another; another page reads nothing", async () => {
  const token = await tokenOf(mine, { expires_in: 60 });
  vi.setSystemTime(Date.now() + 62_000);
  try {
    const [own, other] = [
      await ask(app(mine.agent, "/runs"), { token }),
      await ask(app(mine.agent, "/runs"), { token, origin: OTHER_PAGE }),
    ];
    expect([own.status, own.allowed]).toEqual([401, PAGE]);
    expect([other.status, other.allowed]).toEqual([403, null]);
  } finally {
    vi.setSystemTime(vi.getRealSystemTime());
  }
});

test("with every power a run is followed, decided and cancelled, in camelCase", async () => {
  const token = await good();
  const { text } = await ask(app(mine.agent, "/runs"), { token, body: START });
  const { runId } = JSON.parse(text) as { runId: string };
  const events = await ask(app(mine.agent, `/runs/${runId}/events`), { token });
  expect(JSON.parse(events.text)).toMatchObject({
    data: [{ type: "run.created", sequenceNumber: 0, runId, renderProtocol: 1 }],
    hasMore: false,
  });
  expect(events.text).not.toMatch(/"\w+_\w+":/);
  const approval = await ask(app(mine.agent, `/approvals/${mine.ada.approval}`), { token });
  expect(JSON.parse(approval.text)).toMatchObject({ toolName: "pay", appId: mine.agent });
  await database.pool.query("UPDATE runs SET status = 'running' WHERE id = $1", [mine.ada.run]);
  const decided = await ask(app(mine.agent, `/approvals/${mine.ada.approval}/resolve`), {
    token,
    ...DECIDE,
  });
  expect(JSON.parse(decided.text)).toMatchObject({ status: "approved" });
  const { rows } = await database.pool.query(
    "SELECT actor_kind, actor_id, actor_label FROM audit_events WHERE object_id = $1",
    [mine.ada.approval],
  );
  expect(rows).toEqual([
    {
      actor_kind: "key",
      actor_id: mine.keyId,
      actor_label: expect.stringMatching(/^an end user, by a client token of backend …/),
    },
  ]);
  const cancelled = await ask(app(mine.agent, `/runs/${runId}/cancel`), { token, method: "POST" });
  expect([cancelled.status, cancelled.allowed]).toEqual([202, PAGE]);
  expect(JSON.parse(cancelled.text)).toMatchObject({ status: "cancelled" });
});
