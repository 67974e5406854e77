import { expect, test } from "vitest";
import { z } from "zod";
import { APP_OPERATIONS } from "@/lib/api/apps/operations";
import { findCaller } from "@/lib/api/http/bearer-key";
import { type ApiSurface, dispatch } from "@/lib/api/http/dispatch";
import { type Operation, operation } from "@/lib/api/http/operation";
import { Router } from "@/lib/api/http/router";
import { V1_OPERATIONS } from "@/lib/api/v1/operations";
import type { Budget } from "@/lib/domain/limits/request-budgets";
import type { Principal } from "@/lib/domain/principal";
import { ServiceError } from "@/lib/model/errors";
import { testService } from "@/lib/platform/test/test-service";

testService({ CHECK_RESPONSES: "false" });

const SOMEBODY: Principal = {
  accountId: "a1",
  agentId: null,
  via: "key",
  userId: null,
  isAdmin: false,
  blocked: false,
  superAgentAccess: false,
  writePerHour: null,
  actor: { kind: "key", id: "k1", label: "k", address: null, userAgent: null },
};
const ADMIN: Principal = { ...SOMEBODY, isAdmin: true, superAgentAccess: true };
const HOST = { host: "api.example" };

interface Asked {
  calls: unknown[];
}

/** An operation that notes what it is called with. */
function noting(asked: Asked, more: Partial<Operation> = {}): Operation {
  const made = operation({
    method: "POST",
    path: "/v1/things",
    operationId: "makeThing",
    tag: "Things",
    summary: "",
    description: "",
    responses: [{ status: 200, description: "" }],
    errors: [],
    async handle({ principal, params, query, body, baseUrl, idempotencyKey }) {
      asked.calls.push({
        who: principal.accountId,
        from: principal.actor,
        params,
        query,
        body,
        baseUrl,
        idempotencyKey,
      });
      return { status: 200, body: "{}" };
    },
  });
  return { ...made, ...more };
}

function surfaceOf(
  operations: Operation[],
  more: Partial<ApiSurface> & { who?: Principal; budget?: Budget } = {},
): ApiSurface {
  const { who = SOMEBODY, budget = null, ...rest } = more;
  return {
    router: new Router(operations),
    toPath: (path) => path,
    authenticate: async () => ({ principal: who, budget }),
    ...rest,
  };
}

async function send(surface: ApiSurface, init: RequestInit = {}, path = "/v1/things") {
  const request = new Request(`http://api.example${path}`, {
    method: "POST",
    ...init,
    headers: { "x-request-id": "r1", ...HOST, ...init.headers },
  });
  const response = await dispatch(surface, request);
  const text = await response.text();
  const told =
    response.headers.get("content-type")?.startsWith("application/json") && text !== ""
      ? JSON.parse(text)
      : text;
  return { status: response.status, headers: Object.fromEntries(response.headers), told };
}

const JSON_TYPE = { "content-type": "application/json" };

test("a handler is given who asks and from where, and the parsed request", async () => {
  const asked: Asked = { calls: [] };
  const made = noting(asked, {
    path: "/v1/things/{thing_id}",
    params: z.object({ thing_id: z.string() }),
    query: z.object({ n: z.string().transform(Number) }),
    body: z.strictObject({ name: z.string().default("none") }),
    idempotent: true,
  });
  const headers = {
    ...JSON_TYPE,
    "idempotency-key": "order",
    "user-agent": "me/1",
    "x-lathe-client-ip": "192.0.2.7",
    authorization: "Bearer one",
  };
  const answer = await send(surfaceOf([made]), { body: "{}", headers }, "/v1/things/t%201?n=7");
  expect(answer).toEqual({
    status: 200,
    headers: {
      "cache-control": "no-store",
      "content-length": "2",
      "content-type": "application/json; charset=utf-8",
      "x-content-type-options": "nosniff",
      "x-request-id": "r1",
    },
    told: {},
  });
  const from = { kind: "key", id: "k1", label: "k", address: "192.0.2.7", userAgent: "me/1" };
  expect(asked.calls).toEqual([
    {
      who: "a1",
      from,
      params: { thing_id: "t 1" },
      query: { n: 7 },
      body: { name: "none" },
      baseUrl: "http://api.example",
      idempotencyKey: "order",
    },
  ]);
  expect(findCaller({ authorization: "Bearer one", cookie: null })).toBe("a1");
});

test("an operation is given what it has schemas for, and nobody without sign-in", async () => {
  const asked: Asked = { calls: [] };
  const authenticate = () => Promise.reject(new Error("nobody is asked for"));
  const answer = await send(surfaceOf([noting(asked, { auth: "none" })], { authenticate }), {
    body: "no JSON",
    headers: { "idempotency-key": "order" },
  });
  expect(answer.status).toBe(200);
  expect(asked.calls).toEqual([
    {
      who: "",
      from: { kind: "anonymous", id: null, label: null, address: null, userAgent: null },
      params: undefined,
      query: undefined,
      body: undefined,
      baseUrl: "http://api.example",
      idempotencyKey: null,
    },
  ]);
});

test("a body is optional where its operation says so; an Idempotency-Key of 1 to 255", async () => {
  const asked: Asked = { calls: [] };
  const body = z.strictObject({ name: z.string().optional() });
  const send1 = (more: Partial<Operation>, init: RequestInit) =>
    send(surfaceOf([noting(asked, { body, ...more })]), init);
  const refused = await send1({}, {});
  expect([refused.status, refused.told]).toEqual([
    400,
    {
      error: "INVALID_INPUT",
      message: "This request needs a JSON body.",
      details: [{ path: "", message: "This request needs a JSON body." }],
    },
  ]);
  expect((await send1({ bodyOptional: true }, {})).status).toBe(200);
  const sent = { body: '{"name":"x"}', headers: JSON_TYPE };
  expect((await send1({ bodyOptional: true }, sent)).status).toBe(200);
  expect(asked.calls).toMatchObject([{ body: {} }, { body: { name: "x" } }]);
  const withKey = async (key: string) =>
    (
      await send1(
        { idempotent: true },
        { ...sent, headers: { ...JSON_TYPE, "idempotency-key": key } },
      )
    ).status;
  expect([
    await withKey(""),
    await withKey("k"),
    await withKey("k".repeat(255)),
    await withKey("k".repeat(256)),
  ]).toEqual([400, 200, 200, 400]);
  expect((await send1({ idempotent: true }, sent)).status).toBe(200);
  expect(asked.calls.at(-1)).toMatchObject({ idempotencyKey: null });
});

test.each([
  [{ creates: ["workspaces" as const] }, 400],
  [{ creates: ["agents" as const] }, 400],
  [{ creates: ["conversations" as const] }, 400],
  [{ creates: ["agents" as const], idempotent: true }, 200],
  [{ creates: ["files" as const] }, 200],
  [{ creates: ["nothing" as const] }, 200],
])(
  "an operation with %j answers %i to an Idempotency-Key: one that keeps none says so",
  async (more, status) => {
    const asked: Asked = { calls: [] };
    const answer = await send(surfaceOf([noting(asked, more)]), {
      headers: { "idempotency-key": "order" },
    });
    expect(answer.status).toBe(status);
    expect(asked.calls).toHaveLength(status === 200 ? 1 : 0);
    if (status !== 400) return;
    const message = expect.stringMatching(/keeps no Idempotency-Key.*POST \/v1\/runs,/);
    expect(answer.told).toMatchObject({
      error: "INVALID_INPUT",
      message,
      details: [{ path: "Idempotency-Key" }],
    });
    expect((await send(surfaceOf([noting(asked, more)]))).status).toBe(200);
  },
);

test("who sends a key where none is kept is told every operation that keeps one", async () => {
  const answer = await send(surfaceOf([noting({ calls: [] }, { creates: ["agents"] })]), {
    headers: { "idempotency-key": "order" },
  });
  const told = String(answer.told.message).split(/[ ,]+/);
  const keeping = [...V1_OPERATIONS, ...APP_OPERATIONS].filter(({ idempotent }) => idempotent);
  expect(keeping.length).toBeGreaterThan(9);
  for (const { path } of keeping)
    expect(told, path).toContain(path.replace("/api/v1/apps/{appId}", ""));
});

test("a wrong body is answered with one of the operation's own examples", async () => {
  const made = noting(
    { calls: [] },
    { body: z.strictObject({ name: z.string() }), examples: { one: { name: "first" } } },
  );
  const { status, told } = await send(surfaceOf([made]), {
    body: '{"name":1}',
    headers: JSON_TYPE,
  });
  expect([status, told.message]).toEqual([400, 'name: must be a text, such as "first"']);
});

test("a budget is told with each answer; a spent one ends requests early", async () => {
  const asked: Asked = { calls: [] };
  const budget: Budget = { limit: 30, remaining: 4, resetSeconds: 17, exceeded: false };
  const limits = {
    "ratelimit-policy": '"minute";q=30;w=60',
    ratelimit: '"minute";r=4;t=17',
    "x-ratelimit-limit": "30",
    "x-ratelimit-remaining": "4",
    "x-ratelimit-reset": "17",
  };
  expect((await send(surfaceOf([noting(asked)], { budget }))).headers).toMatchObject(limits);
  const refused = await send(surfaceOf([noting(asked)], { budget: { ...budget, exceeded: true } }));
  expect([refused.status, refused.told]).toEqual([
    429,
    {
      error: "RATE_LIMITED",
      message: "This account may make 30 of these requests a minute. Try again in 17 seconds.",
    },
  ]);
  expect(refused.headers).toMatchObject({ ...limits, "retry-after": "17" });
  expect(asked.calls).toHaveLength(1);
});

test("the super-agent is for its allowlist, and admins' operations for them", async () => {
  const asked: Asked = { calls: [] };
  const statusOf = async (who: Principal, more: Partial<Operation>) => {
    const { status, told } = await send(surfaceOf([noting(asked, more)], { who }));
    return [status, told.error];
  };
  expect(await statusOf(SOMEBODY, { superAgent: true })).toEqual([
    403,
    "SUPER_AGENT_ACCESS_DENIED",
  ]);
  expect(await statusOf(SOMEBODY, { admin: true })).toEqual([404, "NOT_FOUND"]);
  expect(asked.calls).toEqual([]);
  expect(await statusOf(ADMIN, { superAgent: true })).toEqual([200, undefined]);
  expect(await statusOf(ADMIN, { admin: true })).toEqual([200, undefined]);
});

test("of another method is told which the path takes; of admins' to them only", async () => {
  const asked: Asked = { calls: [] };
  const two = [noting(asked), noting(asked, { method: "GET" })];
  const wrong = await send(surfaceOf(two), { method: "DELETE" });
  expect([wrong.status, wrong.headers.allow, wrong.told]).toEqual([
    405,
    "POST, GET",
    { error: "METHOD_NOT_ALLOWED", message: "This path takes POST, GET." },
  ]);
  const admins = [noting(asked, { admin: true })];
  const statusOf = async (surface: Partial<ApiSurface> & { who?: Principal }) =>
    (await send(surfaceOf(admins, surface), { method: "DELETE" })).status;
  expect(await statusOf({ who: SOMEBODY })).toBe(404);
  expect(await statusOf({ who: ADMIN })).toBe(405);
  expect(
    await statusOf({
      authenticate: () => Promise.reject(new ServiceError("AUTHENTICATION_REQUIRED", "no")),
    }),
  ).toBe(404);
  expect(
    await statusOf({
      authenticate: () =>
        Promise.reject(Object.assign(new Error("away"), { code: "ECONNREFUSED" })),
    }),
  ).toBe(503);
  expect(asked.calls).toEqual([]);
});

test("a surface answers on its own host, by the path that it makes of it", async () => {
  const asked: Asked = { calls: [] };
  const hosts: string[] = [];
  const isOpenOn = (host: string) => {
    hosts.push(host);
    return host === "api.example";
  };
  const surface = surfaceOf([noting(asked)], {
    isOpenOn,
    toPath: (path) => path.replace("/outer", ""),
  });
  expect((await send(surface, {}, "/outer/v1/things")).status).toBe(200);
  const away = await send(surface, { headers: { host: "apps.example" } }, "/outer/v1/things");
  expect([away.status, away.told.error]).toEqual([404, "NOT_FOUND"]);
  const models = await send(surface, {}, "/outer/v1/models");
  expect([models.status, models.told.message]).toEqual([
    404,
    expect.stringContaining("GET /v1/models was removed"),
  ]);
  expect(hosts).toEqual(["api.example", "apps.example", "api.example"]);
});

test("who may not come in by the surface is refused before anything is asked", async () => {
  const admit = () => {
    throw new ServiceError("AUTHENTICATION_REQUIRED", "not this way");
  };
  const authenticate = () => Promise.reject(new Error("nobody is asked for"));
  const { status, told } = await send(surfaceOf([noting({ calls: [] })], { admit, authenticate }));
  expect([status, told]).toEqual([
    401,
    { error: "AUTHENTICATION_REQUIRED", message: "not this way" },
  ]);
});

test("what fails inside is told as ours, with the request's id, not its words", async () => {
  const made = noting({ calls: [] }, { handle: () => Promise.reject(new Error("secret words")) });
  const { status, told } = await send(surfaceOf([made]));
  expect([status, told]).toEqual([
    500,
    {
      error: "INTERNAL_ERROR",
      message: "Something failed on our side. Quote request r1 when you report it.",
    },
  ]);
});
