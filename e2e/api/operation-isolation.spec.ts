import { type AccountFixtures, createAccountFixtures } from "../support/account-fixtures";
import { createAccount } from "../support/accounts";
import { ApiDocument, type DocumentedOperation } from "../support/api-document";
import {
  callOperation,
  clientFor,
  goodRequest,
  idAt,
  needsObject,
  notFoundCode,
  pathPrefixes,
  readAll,
  unknownIdAt,
  withoutSignatures,
} from "../support/every-operation";
import { expectSameAnswer } from "../support/expect-answers";
import { test as base, expect } from "../support/test";
import { UNKNOWN_ID } from "../support/unknown-ids";
import { WebhookInbox } from "../support/webhook-inbox";

// Over every operation of the document that has an id in its path or in its body: a new one is held
// to this without being listed here.

interface Owners {
  operations: DocumentedOperation[];
  mine: AccountFixtures;
  theirs: AccountFixtures;
}

const test = base.extend<object, { owners: Owners }>({
  owners: [
    async ({ serviceUrl, modelUrl, webhookUrl }, use) => {
      const own = async () =>
        createAccountFixtures(
          await createAccount(serviceUrl, { superAgent: true, credits: 100_000 }),
          modelUrl,
          new WebhookInbox(webhookUrl),
        );
      const [mine, theirs] = await Promise.all([own(), own()]);
      await use({
        operations: (await ApiDocument.read(mine.account.api)).operations,
        mine,
        theirs,
      });
    },
    { scope: "worker", timeout: 600_000 },
  ],
});

// One worker's owners serve all of them.
test.describe.configure({ mode: "default" });

test("another account's id answers exactly like a missing one, everywhere in a path", async ({
  owners,
}) => {
  const { operations, mine, theirs } = owners;
  const before = await readAll(operations, theirs);
  // What needs no key is the same for everybody.
  for (const operation of operations.filter((each) => each.auth !== "none" && needsObject(each))) {
    const places = pathPrefixes(operation);
    for (const [index, place] of places.entries()) {
      // What lies before is one's own; what lies behind would fit.
      const idsWith = (id: string) =>
        places.map((each, at) => (at === index ? id : idAt(at < index ? mine : theirs, each)));
      const ask = (id: string) => callOperation(clientFor(mine, operation), operation, idsWith(id));
      await test.step(`${operation.id} at ${place}`, async () => {
        const missing = await ask(unknownIdAt(place));
        expectSameAnswer(await ask(idAt(theirs, place)), missing, 404);
        expect(missing.json()).toMatchObject({ error: notFoundCode(place) });
        expect(operation.codes).toContain(notFoundCode(place));
      });
    }
  }
  expect(await readAll(operations, theirs)).toEqual(before);
});

test("another account's id answers exactly like a missing one, everywhere in a body", async ({
  owners,
}) => {
  const { operations, mine, theirs } = owners;
  const candidates = (field: string): string[] => {
    if (/^conversation/.test(field)) return Object.values(theirs.conversations);
    return [
      idAt(
        theirs,
        /^workspace/.test(field) ? "/v1/workspaces/{workspace_id}" : `/v1/agents/{${field}}`,
      ),
    ];
  };
  const runs = async () =>
    withoutSignatures((await mine.account.api.get("/v1/runs", { query: { limit: 100 } })).text);
  const before = await runs();
  const everything = await readAll(operations, theirs);
  for (const operation of operations) {
    const ids = pathPrefixes(operation).map((place) => idAt(mine, place));
    const good = goodRequest(operation).json;
    for (const field of operation.bodyIds) {
      const ask = (id: string) =>
        callOperation(clientFor(mine, operation), operation, ids, {
          json: { ...Object(good), [field]: id },
        });
      for (const id of candidates(field))
        await test.step(`${operation.id} with ${field}`, async () =>
          expectSameAnswer(await ask(id), await ask(UNKNOWN_ID), 404));
    }
  }
  expect(await runs()).toBe(before);
  expect(await readAll(operations, theirs)).toEqual(everything);
});

test("a filter by another account's id finds what a missing id finds, on every list", async ({
  owners,
}) => {
  const { operations, mine, theirs } = owners;
  const filters = operations.flatMap((operation) =>
    operation.queries.filter((name) => /(_id|Id)$/.test(name)).map((name) => ({ operation, name })),
  );
  expect(filters.length).toBeGreaterThan(4);
  for (const { operation, name } of filters) {
    const object = name.replace(/^parent_/, "");
    const places = Object.keys(theirs.ids).filter((place) => place.endsWith(`{${object}}`));
    const found = /^conversation/.test(name)
      ? Object.values(theirs.conversations)
      : places.map((place) => idAt(theirs, place));
    expect(found.length).toBeGreaterThan(0);
    const ids = pathPrefixes(operation).map((place) => idAt(mine, place));
    const ask = (id: string) =>
      callOperation(clientFor(mine, operation), operation, ids, { query: { [name]: id } });
    for (const id of found)
      await test.step(`${operation.id} by ${name}`, async () => {
        const missing = await ask(UNKNOWN_ID);
        expectSameAnswer(await ask(id), missing, 200);
        expect(missing.json()).toMatchObject({ data: [] });
      });
  }
});

test("an own id that belongs under another object answers exactly like a missing one", async ({
  owners,
  modelUrl,
  webhookUrl,
}) => {
  const { operations, mine } = owners;
  const other = await createAccountFixtures(mine.account, modelUrl, new WebhookInbox(webhookUrl));
  const nested = operations.filter(
    ({ pathParameters, path }) =>
      pathParameters.length > 1 && !path.startsWith("/v1/workspaces/{workspace_id}/agents"),
  );
  expect(nested.length).toBeGreaterThan(8);
  for (const operation of nested) {
    const places = pathPrefixes(operation);
    const ask = (id: string) =>
      callOperation(
        clientFor(other, operation),
        operation,
        places.map((place, index) => (index === places.length - 1 ? id : idAt(other, place))),
      );
    const last = places.at(-1) ?? "";
    await test.step(operation.id, async () =>
      expectSameAnswer(await ask(idAt(mine, last)), await ask(unknownIdAt(last)), 404),
    );
  }
});

test("a run of one kind answers byte for byte like a missing one under another", async ({
  owners,
}) => {
  const { operations, mine } = owners;
  const PLAIN = "/v1/runs/{run_id}";
  const SUPER = "/v1/super-agent/runs/{run_id}";
  const EDIT = "/v1/agents/{agent_id}/edits/{run_id}";
  const APP = "/api/v1/apps/{appId}/runs/{runId}";
  // Only the super-agent's runs have routes of their own alone; the others are also fetched as
  // plain runs.
  const wrong: Record<string, string[]> = {
    [PLAIN]: [SUPER],
    [SUPER]: [PLAIN, EDIT, APP],
    [EDIT]: [PLAIN, SUPER, APP],
    [APP]: [PLAIN, SUPER, EDIT],
  };
  for (const operation of operations) {
    const places = pathPrefixes(operation);
    const last = places.at(-1) ?? "";
    const ask = (id: string) =>
      callOperation(
        clientFor(mine, operation),
        operation,
        places.map((place, index) => (index === places.length - 1 ? id : idAt(mine, place))),
      );
    for (const place of wrong[last] ?? [])
      await test.step(`${operation.id} with ${place}`, async () =>
        expectSameAnswer(await ask(idAt(mine, place)), await ask(UNKNOWN_ID), 404));
  }
});
