import { randomUUID } from "node:crypto";
import { type AccountFixtures, createAccountFixtures } from "../support/account-fixtures";
import { createAccount } from "../support/accounts";
import type { RequestOptions } from "../support/api-client";
import { ApiDocument, type DocumentedOperation } from "../support/api-document";
import {
  callOperation,
  clientFor,
  goodRequest,
  idAt,
  pathPrefixes,
} from "../support/every-operation";
import { expectError } from "../support/expect-answers";
import { inputOfBytes } from "../support/runs";
import { test as base, expect } from "../support/test";
import { WebhookInbox } from "../support/webhook-inbox";

// The limits that several operations share (specification §§4 and 8, contract §1), on both sides,
// on every operation that has them.

interface Owner {
  operations: DocumentedOperation[];
  mine: AccountFixtures;
}

const test = base.extend<object, { owner: Owner }>({
  owner: [
    async ({ serviceUrl, modelUrl, webhookUrl }, use) => {
      const account = await createAccount(serviceUrl, { superAgent: true, credits: 100_000 });
      const mine = await createAccountFixtures(account, modelUrl, new WebhookInbox(webhookUrl));
      await use({ operations: (await ApiDocument.read(account.api)).operations, mine });
    },
    { scope: "worker", timeout: 600_000 },
  ],
});
test.describe.configure({ mode: "default" });

function askOwn({ mine }: Owner, operation: DocumentedOperation, options?: RequestOptions) {
  const ids = pathPrefixes(operation).map((place) => idAt(mine, place));
  return callOperation(clientFor(mine, operation), operation, ids, options);
}

function bodyWith(operation: DocumentedOperation, fields: Record<string, unknown>): RequestOptions {
  return { json: { ...Object(goodRequest(operation).json), ...fields } };
}

/** What stores an address starts no run with it. */
const STORED: Record<string, number> = { createSchedule: 201, updateSchedule: 200 };

test("a webhook's address has 2,048 characters at most, wherever one is taken", async ({
  owner,
  inbox,
}) => {
  const takers = owner.operations.flatMap((operation) =>
    operation.bodyFields
      .filter((name) => /^webhook_?url$/i.test(name))
      .map((field) => ({ operation, field })),
  );
  expect(takers.map(({ operation }) => operation.id).sort()).toEqual([
    "createAgent",
    "createAgentEdit",
    "createAppRun",
    "createRun",
    "createSchedule",
    "createSuperAgentRun",
    "replayRun",
    "updateSchedule",
  ]);
  const longest = `${inbox.url}/`.padEnd(2_048, "x");
  for (const { operation, field } of takers) {
    expect([
      operation.id,
      (await askOwn(owner, operation, bodyWith(operation, { [field]: longest }))).status,
    ]).toEqual([operation.id, STORED[operation.id] ?? 202]);
    expectError(
      await askOwn(owner, operation, bodyWith(operation, { [field]: `${longest}x` })),
      400,
      "INVALID_INPUT",
      field,
    );
  }
});

test("a page has 1 to 100 rows, on every list", async ({ owner }) => {
  const lists = owner.operations.filter(({ queries }) => queries.includes("limit"));
  expect(lists.length).toBeGreaterThan(14);
  for (const operation of lists) {
    const headers = { accept: "application/json" };
    for (const limit of ["1", "100"]) {
      const answer = await askOwn(owner, operation, { query: { limit }, headers });
      expect([operation.id, limit, answer.status]).toEqual([operation.id, limit, 200]);
    }
    for (const limit of ["0", "101", "-1", "1.5", "1e1", "", " 1", "9".repeat(400)])
      expectError(
        await askOwn(owner, operation, { query: { limit }, headers }),
        400,
        "INVALID_INPUT",
        "limit",
      );
    if (operation.queries.includes("cursor"))
      for (const cursor of ["", "nonsense", "x".repeat(201), "\u0000"])
        expectError(
          await askOwn(owner, operation, { query: { cursor } }),
          400,
          "INVALID_INPUT",
          "cursor",
        );
  }
});

test("an Idempotency-Key has 1 to 255 characters, wherever one is taken", async ({ owner }) => {
  // A message wants a run at work: messages.spec.ts.
  const takers = owner.operations.filter(
    ({ id, parameters }) =>
      parameters.some(({ name }) => name === "Idempotency-Key") && !/^send\w*Message$/.test(id),
  );
  expect(takers.map(({ id }) => id).sort()).toEqual([
    ...[
      "createAgent",
      "createAgentEdit",
      "createAppRun",
      "createRun",
      "createSuperAgentRun",
      "replayRun",
      "runSchedule",
    ],
  ]);
  for (const operation of takers) {
    const ask = (key: string) => askOwn(owner, operation, { headers: { "idempotency-key": key } });
    for (const key of ["k", randomUUID().padEnd(255, "k")])
      expect([operation.id, (await ask(key)).status]).toEqual([operation.id, 202]);
    for (const key of ["", randomUUID().padEnd(256, "k")])
      expectError(await ask(key), 400, "INVALID_INPUT", "Idempotency-Key");
  }
});

test("a run's input has 262,144 bytes of JSON at most, wherever one is taken", async ({
  owner,
}) => {
  const takers = owner.operations.filter(
    ({ codes, id }) => codes.includes("INSUFFICIENT_CREDITS") && /^create(?!Agent)/.test(id),
  );
  expect(takers).toHaveLength(5);
  for (const operation of takers) {
    const field = operation.bodyFields.includes("inputs") ? "inputs" : "input";
    for (const multiByte of [false, true]) {
      const accepted = await askOwn(
        owner,
        operation,
        bodyWith(operation, { [field]: inputOfBytes(262_144, { multiByte }) }),
      );
      expect([operation.id, accepted.status]).toEqual([
        operation.id,
        /realtime/i.test(operation.id) ? 200 : 202,
      ]);
      const tooLarge = bodyWith(operation, { [field]: inputOfBytes(262_145, { multiByte }) });
      expectError(await askOwn(owner, operation, tooLarge), 400, "INVALID_INPUT", field);
    }
  }
});

test("a JSON body of 1 MiB is read, a byte more is not", async ({ owner }) => {
  const { api } = owner.mine.account;
  const headers = { "content-type": "application/json" };
  const body = (bytes: number) => JSON.stringify({ name: "x" }).padEnd(bytes, " ");
  expect(
    (await api.post("/v1/workspaces", undefined, { raw: body(1_048_576), headers })).status,
  ).toBe(201);
  expectError(
    await api.post("/v1/workspaces", undefined, { raw: body(1_048_577), headers }),
    413,
    "PAYLOAD_TOO_LARGE",
  );
});
