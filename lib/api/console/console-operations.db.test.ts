import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { CONSOLE_OPERATIONS, consoleSurface } from "@/lib/api/console/console-surface";
import { type ApiSurface, dispatch } from "@/lib/api/http/dispatch";
import type { Operation } from "@/lib/api/http/operation";
import { Router } from "@/lib/api/http/router";
import { V1_OPERATIONS } from "@/lib/api/v1/operations";
import { inviteByEmail } from "@/lib/domain/admin/invitations";
import { createKey } from "@/lib/domain/keys/create-key";
import type { Principal } from "@/lib/domain/principal";
import { createSecret } from "@/lib/domain/secrets/create-secret";
import { startSession } from "@/lib/domain/sessions/start-session";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { newAgent } from "@/lib/domain/test/new-agent";
import { readSigningSecret } from "@/lib/domain/webhooks/signing-secret";
import { newId } from "@/lib/platform/ids";

// Over every operation that only the console has: they stand in no published document, and a new
// one is held to this without being listed here.

const OWN = CONSOLE_OPERATIONS.filter(({ auth }) => auth === "session");
const UNKNOWN_ID = "01939d3b-7c1a-7b60-9f5e-3f7a2c1dffff";
const ORIGIN = "http://localhost:3000";
const ELSEWHERE: Record<string, string>[] = [
  {},
  { origin: "https://evil.test" },
  { origin: "null" },
];
const ROWS = 3;

interface Owner {
  principal: Principal;
  /** An id of each kind, by the name of its place in a path, a body or a query. */
  ids: Record<string, string>;
}

const PASSKEY_ANSWER = {
  id: "x",
  rawId: "x",
  type: "public-key",
  response: { clientDataJSON: "x" },
};

/** A body of each operation that takes one, which it would accept of the owner of these ids. */
const BODIES: Record<string, (ids: Record<string, string>) => object> = {
  addPasskey: () => ({ challenge_id: UNKNOWN_ID, name: "p", response: PASSKEY_ANSWER }),
  administerAccount: () => ({ add_credits: 1 }),
  beginPasskey: () => ({ password: "not this one" }),
  beginTotp: () => ({ password: "not this one" }),
  confirmTotp: () => ({ code: "000000" }),
  changePassword: () => ({
    current_password: "not this one",
    new_password: "a long enough password",
  }),
  createKey: ({ agent_id }) => ({ name: "k", agent_id }),
  deleteAccount: () => ({ email: "another@example.test" }),
  inviteByEmail: () => ({ email: "guest@example.test" }),
  readNotifications: ({ notification_id }) => ({ up_to: notification_id }),
  removePasskey: () => ({ code: "000000" }),
  removeTotp: () => ({ code: "000000" }),
  renamePasskey: () => ({ name: "Taken over" }),
  renameUser: () => ({ name: "Taken over" }),
  renewRecoveryCodes: () => ({ code: "000000" }),
  rotateKey: () => ({ overlap_minutes: 0 }),
  rotateSigningSecret: () => ({ overlap_minutes: 0 }),
  setEventMails: () => ({ event_mails: false }),
};

let database: DomainDatabase;
let mine: Owner;
let theirs: Owner;

beforeAll(async () => {
  database = await openDomainDatabase({
    env: {
      IP_LIMIT_PER_MINUTE: "0",
      CHECK_RESPONSES: "true",
      ENCRYPTION_KEYS: JSON.stringify([{ id: "k1", key: Buffer.alloc(32, 7).toString("base64") }]),
    },
  });
  [mine, theirs] = [await makeOwner(), await makeOwner()];
});
afterAll(() => database.close());

/**
 * An account with three of everything that the console lists, and one of everything that it names.
 */
async function makeOwner(): Promise<Owner> {
  const principal = await database.account({ via: "session" });
  const { id: agent_id } = await newAgent(principal);
  const notification_id = newId();
  for (const id of [newId(), newId(), notification_id]) {
    await database.pool.query(
      `INSERT INTO notifications (id, account_id, run_id, title, body)
       VALUES ($1, $2, $3, 't', 'b')`,
      [id, principal.accountId, newId()],
    );
  }
  const keys = [];
  for (let n = 0; n < ROWS; n += 1)
    keys.push(await createKey(principal, { name: "k", agentId: null, expiresAt: null }));
  await createSecret(principal, {
    name: "S",
    value: "x",
    description: null,
    allowedHosts: ["example.com"],
  });
  await readSigningSecret(principal);
  const session_id =
    (await startSession({
      userId: principal.userId ?? "",
      version: 0,
      address: "192.0.2.1",
      userAgent: "",
    })) ?? "";
  for (let n = 1; n < ROWS; n += 1)
    await startSession({
      userId: principal.userId ?? "",
      version: 0,
      address: "192.0.2.1",
      userAgent: "",
    });
  const passkey_id = newId();
  await database.pool.query(
    `INSERT INTO passkeys (id, account_id, user_id, name, credential_id, public_key)
     VALUES ($1, $2, $3, 'p', gen_random_uuid()::text, '')`,
    [passkey_id, principal.accountId, principal.userId],
  );
  const admin: Principal = { ...principal, isAdmin: true };
  for (let n = 1; n < ROWS; n += 1) await inviteByEmail(admin, `${newId()}@example.test`, null);
  const { id: invitation_id } = await inviteByEmail(admin, `${newId()}@example.test`, null);
  const ids = {
    agent_id,
    notification_id,
    key_id: keys[0]?.id ?? "",
    session_id,
    invitation_id,
    passkey_id,
    challenge_id: newId(),
    account_id: principal.accountId,
    name: "S",
  };
  return { principal, ids };
}

/** The console's surface with somebody who is signed in already. */
function doorOf(principal: Principal): ApiSurface {
  const router = new Router([...V1_OPERATIONS, ...CONSOLE_OPERATIONS]);
  return {
    router,
    toPath: consoleSurface.toPath,
    authenticate: async () => ({ principal, budget: null }),
  };
}

const placesOf = ({ path }: Operation) =>
  [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? "");

function requestOf(
  operation: Operation,
  ids: Record<string, string>,
  { query = "", body = {}, headers = {} } = {},
): Request {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, place: string) => idOf(ids, place));
  const good = BODIES[operation.operationId];
  if (operation.body && !operation.bodyOptional && !good)
    throw new Error(`Add a good body of ${operation.operationId} to BODIES.`);
  const json = good ? { ...good(ids), ...body } : undefined;
  return new Request(`${ORIGIN}${path}${query}`, {
    method: operation.method,
    headers: {
      host: new URL(ORIGIN).host,
      ...(json && { "content-type": "application/json" }),
      ...headers,
    },
    ...(json && { body: JSON.stringify(json) }),
  });
}

function idOf(ids: Record<string, string>, place: string): string {
  const id = ids[place];
  if (id === undefined) throw new Error(`Add an object for {${place}} to makeOwner.`);
  return id;
}

async function ask(
  owner: Owner,
  operation: Operation,
  ids = owner.ids,
  more: Parameters<typeof requestOf>[2] = {},
) {
  const response = await dispatch(doorOf(owner.principal), requestOf(operation, ids, more));
  return { status: response.status, text: await response.text() };
}

/** Every row of an account in every table that names one. */
async function rowsOf({ principal }: Owner): Promise<Record<string, unknown>> {
  const tables = await database.pool.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.columns WHERE column_name = 'account_id'
       AND table_schema = 'public' ORDER BY 1`,
  );
  const all: Record<string, unknown> = {};
  for (const { name } of tables.rows) {
    const { rows } = await database.pool.query(
      `SELECT jsonb_agg(t ORDER BY t::text) AS rows FROM "${name}" t WHERE account_id = $1`,
      [principal.accountId],
    );
    all[name] = rows[0].rows;
  }
  return all;
}

test("another account's id answers like a missing one, in every path, body and query", async () => {
  const before = await rowsOf(theirs);
  for (const operation of OWN.filter(({ admin }) => !admin)) {
    for (const place of placesOf(operation)) {
      const [foreign, missing] = [
        await ask(mine, operation, { ...mine.ids, [place]: idOf(theirs.ids, place) }),
        await ask(mine, operation, { ...mine.ids, [place]: UNKNOWN_ID }),
      ];
      expect([operation.operationId, foreign.status]).toEqual([operation.operationId, 404]);
      expect(foreign).toEqual(missing);
    }
    const bodyIds = Object.keys(BODIES[operation.operationId]?.(mine.ids) ?? {}).filter((field) =>
      /_id$|^up_to$/.test(field),
    );
    for (const field of bodyIds) {
      const place = field === "up_to" ? "notification_id" : field;
      const foreign = await ask(mine, operation, mine.ids, {
        body: { [field]: idOf(theirs.ids, place) },
      });
      const missing = await ask(mine, operation, mine.ids, { body: { [field]: UNKNOWN_ID } });
      expect([operation.operationId, field, foreign]).toEqual([
        operation.operationId,
        field,
        missing,
      ]);
    }
    for (const field of queryOf(operation).filter((name) => name.endsWith("_id"))) {
      const foreign = await ask(mine, operation, mine.ids, {
        query: `?${field}=${idOf(theirs.ids, field)}`,
      });
      expect(JSON.parse(foreign.text)).toMatchObject({ data: [] });
      expect(foreign).toEqual(
        await ask(mine, operation, mine.ids, { query: `?${field}=${UNKNOWN_ID}` }),
      );
    }
  }
  expect(await rowsOf(theirs)).toEqual(before);
});

test("whatever an operation does, it does to its own account alone", async () => {
  const [one, other] = [await makeOwner(), await makeOwner()];
  const before = await rowsOf(other);
  for (const operation of OWN.filter(({ admin }) => !admin)) {
    const { status } = await ask(one, operation);
    expect([operation.operationId, status < 500]).toEqual([operation.operationId, true]);
  }
  expect(await rowsOf(other)).toEqual(before);
});

test("what only admins may do is not there for anybody else, whatever they send", async () => {
  const admins = OWN.filter(({ admin }) => admin);
  expect(admins.length).toBeGreaterThan(0);
  const before = await rowsOf(theirs);
  for (const operation of admins) {
    const answers = [
      await ask(mine, operation, theirs.ids),
      await ask(mine, operation, { ...mine.ids, account_id: UNKNOWN_ID }),
      await ask(mine, operation, mine.ids, { query: "?limit=0" }),
    ];
    for (const { status, text } of answers)
      expect([operation.operationId, status, text]).toEqual([
        operation.operationId,
        404,
        answers[0]?.text,
      ]);
  }
  expect(await rowsOf(theirs)).toEqual(before);
});

test("nothing is changed for a request from another site or from nowhere", async () => {
  const changing = [...V1_OPERATIONS, ...CONSOLE_OPERATIONS].filter(
    ({ method, auth }) => method !== "GET" && auth !== "none",
  );
  for (const operation of changing) {
    for (const headers of ELSEWHERE) {
      const path = operation.path.startsWith("/v1/")
        ? `/api/console${operation.path}`
        : operation.path;
      const url = `${ORIGIN}${path.replace(/\{\w+\}/g, UNKNOWN_ID)}`;
      const response = await dispatch(
        consoleSurface,
        new Request(url, {
          method: operation.method,
          headers: { host: new URL(ORIGIN).host, ...headers },
        }),
      );
      expect([operation.operationId, headers, response.status]).toEqual([
        operation.operationId,
        headers,
        401,
      ]);
    }
  }
});

test("every list, read row by row, gives its rows, each once, in order", async () => {
  const owner = await makeOwner();
  const keeper: Owner = { ...owner, principal: { ...owner.principal, isAdmin: true } };
  const lists = OWN.filter((operation) =>
    ["limit", "cursor"].every((name) => queryOf(operation).includes(name)),
  );
  expect(lists.length).toBeGreaterThan(2);
  const pageShape = z.object({
    data: z.array(z.record(z.string(), z.unknown())),
    has_more: z.boolean(),
    next_cursor: z.string().nullable(),
  });
  for (const operation of lists) {
    const page = async (query: string) => {
      const { data, ...ends } = pageShape.parse(
        JSON.parse((await ask(keeper, operation, keeper.ids, { query })).text),
      );
      return { names: data.map((row) => Object.values(row)[0]), ...ends };
    };
    const whole = await page("?limit=100");
    expect(
      whole.names.length,
      `${operation.operationId} needs ${ROWS} rows: make them in makeOwner`,
    ).toBeGreaterThanOrEqual(ROWS);
    const collected: unknown[] = [];
    let cursor: string | null = "";
    while (cursor !== null && collected.length <= whole.names.length) {
      const one: Awaited<ReturnType<typeof page>> = await page(
        `?limit=1${cursor && `&cursor=${cursor}`}`,
      );
      expect([operation.operationId, one.names.length, one.has_more]).toEqual([
        operation.operationId,
        1,
        one.next_cursor !== null,
      ]);
      collected.push(...one.names);
      cursor = one.next_cursor;
    }
    expect([operation.operationId, collected]).toEqual([operation.operationId, whole.names]);
  }
});

function queryOf({ query }: Operation): string[] {
  return query instanceof z.ZodObject ? Object.keys(query.shape) : [];
}
