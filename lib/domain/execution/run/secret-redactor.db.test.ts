import { afterAll, beforeAll, expect, test } from "vitest";
import { secretRedactor } from "@/lib/domain/execution/run/secret-redactor";
import { createSecret } from "@/lib/domain/secrets/create-secret";
import { deleteSecret } from "@/lib/domain/secrets/delete-secret";
import { updateSecret } from "@/lib/domain/secrets/update-secret";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";

const key = Buffer.alloc(32, 7).toString("base64");
const settings = {
  ENCRYPTION_KEYS: JSON.stringify([{ id: "k1", key }]),
  SIGNING_SECRET: key,
};

let database: DomainDatabase;

const redactorOf = async (accountId: string) => {
  const text = "SELECT name, sealed FROM secrets WHERE account_id = $1 ORDER BY name";
  return secretRedactor(
    accountId,
    (await database.pool.query<{ name: string; sealed: string }>(text, [accountId])).rows,
  );
};

beforeAll(async () => {
  database = await openDomainDatabase({ env: settings });
});
afterAll(() => database.close());

test("a secret is redacted once made or changed, in a process that redacted before", async () => {
  const owner = await database.account();
  const redacted = async (text: string) => (await redactorOf(owner.accountId)).results.redact(text);
  expect(await redacted("first-value second-value")).toBe("first-value second-value");
  await createSecret(owner, {
    name: "TOKEN",
    value: "first-value",
    description: null,
    allowedHosts: ["example.com"],
  });
  expect(await redacted("first-value second-value")).toBe("[redacted] second-value");
  await updateSecret(owner, "TOKEN", { value: "second-value" });
  expect(await redacted("first-value second-value")).toBe("first-value [redacted]");
  await deleteSecret(owner, "TOKEN");
  expect(await redacted("second-value")).toBe("second-value");
});

test("calls at once share one redactor, and another account's secrets are not in it", async () => {
  const [owner, stranger] = [await database.account(), await database.account()];
  await createSecret(owner, {
    name: "TOKEN",
    value: "mine-alone",
    description: null,
    allowedHosts: ["example.com"],
  });
  await createSecret(stranger, {
    name: "TOKEN",
    value: "theirs-alone",
    description: null,
    allowedHosts: ["example.com"],
  });
  const [one, other] = await Promise.all([
    redactorOf(owner.accountId),
    redactorOf(owner.accountId),
  ]);
  expect(one.results).toBe(other.results);
  expect(one.results.redact("mine-alone theirs-alone")).toBe("[redacted] theirs-alone");
});

test("a short secret is redacted from results, and is a word in what a model says", async () => {
  const owner = await database.account();
  await createSecret(owner, {
    name: "PORT",
    value: "8080",
    description: null,
    allowedHosts: ["example.com"],
  });
  const { results, output } = await redactorOf(owner.accountId);
  expect([results.redact("port 8080"), output.redact("port 8080")]).toEqual([
    "port [redacted]",
    "port 8080",
  ]);
  await createSecret(owner, {
    name: "PIN",
    value: "12345678",
    description: null,
    allowedHosts: ["example.com"],
  });
  await createSecret(owner, {
    name: "ROOM",
    value: "abcdefg",
    description: null,
    allowedHosts: ["example.com"],
  });
  expect((await redactorOf(owner.accountId)).output.redact("12345678 abcdefg")).toBe(
    "[redacted] abcdefg",
  );
});
