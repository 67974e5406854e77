import { afterAll, beforeAll, expect, test } from "vitest";
import { rotateEncryptionKey } from "@/lib/domain/admin/rotate-encryption-key";
import type { Actor } from "@/lib/domain/principal";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";

const OPERATOR: Actor = {
  kind: "operator",
  id: null,
  label: "root@host",
  address: null,
  userAgent: null,
};
let database: DomainDatabase;
beforeAll(async () => {
  database = await openDomainDatabase({
    env: {
      ENCRYPTION_KEYS: JSON.stringify([
        { id: "only", key: Buffer.alloc(32, 1).toString("base64") },
      ]),
    },
  });
});
afterAll(() => database.close());

test("where the key is the environment's, the refusal says what to do, unrecorded", async () => {
  await expect(rotateEncryptionKey(OPERATOR)).rejects.toMatchObject({
    code: "CONFLICT",
    message: expect.stringMatching(
      /put a fresh key .* first in it, restart every process with it, run this command .*, then take the older key out\.$/,
    ),
  });
  expect(
    (await database.pool.query("SELECT 1 FROM audit_events WHERE action = 'key_ring.rotated'"))
      .rowCount,
  ).toBe(0);
});
