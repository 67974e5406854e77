import { afterAll, expect, test } from "vitest";
import { createAccount } from "@/lib/domain/account/create-account";
import { authenticateKey } from "@/lib/domain/keys/authenticate-key";
import { createKey } from "@/lib/domain/keys/create-key";
import { systemPrincipal } from "@/lib/domain/principal";
import { openDomainDatabase } from "@/lib/domain/test/domain-database";
import { newId } from "@/lib/platform/ids";
import { postgres } from "@/lib/platform/postgres";

const database = await openDomainDatabase();

afterAll(async () => {
  await database.close();
});

test("a budget tells no wait longer than its minute, though the clock was set back", async () => {
  const { accountId } = await createAccount({ email: `${newId()}@example.test`, password: null });
  const { apiKey } = await createKey(systemPrincipal(accountId), {
    name: "k",
    agentId: null,
    expiresAt: null,
  });
  expect((await authenticateKey(apiKey, "account", "read"))?.budget).toMatchObject({
    limit: 30,
    remaining: 29,
    resetSeconds: 60,
  });
  await postgres().query(
    `UPDATE minute_buckets SET window_started_at = clock_timestamp() + interval '5 seconds'
     WHERE key = $1`,
    [`all:${accountId}`],
  );
  expect((await authenticateKey(apiKey, "account", "read"))?.budget).toMatchObject({
    remaining: 28,
    resetSeconds: 60,
  });
});
