import "server-only";
import { createHash } from "node:crypto";
import { keyRing } from "@/lib/domain/secrets/key-ring";
import { createRedactor } from "@/lib/platform/crypto/redact";
import { openSealed, SealBroken } from "@/lib/platform/crypto/seal";
import { once } from "@/lib/platform/once";
import { postgres } from "@/lib/platform/postgres";

interface Kept {
  fingerprint: string;
  redact: (text: string) => string;
}

/** Accounts whose redactors are kept: building one for very large secrets takes half a second, and every tool call needs it. */
const KEPT_MAX = 100;

/** Takes the account's secrets, all of them and in every usual encoding, out of a text that goes to a model. */
export async function secretRedactor(accountId: string): Promise<(text: string) => string> {
  const { rows } = await postgres().query<{ name: string; sealed: string }>({
    name: "sealed-secrets",
    text: "SELECT name, sealed FROM secrets WHERE account_id = $1 ORDER BY name",
    values: [accountId],
  });
  if (rows.length === 0) return (text) => text;
  const known = once("secret-redactors", () => new Map<string, Kept>());
  const fingerprint = createHash("sha256").update(JSON.stringify(rows)).digest("hex");
  const kept = known.get(accountId);
  const current = kept?.fingerprint === fingerprint ? kept : { fingerprint, redact: buildRedactor(accountId, rows) };
  known.delete(accountId);
  known.set(accountId, current);
  const [oldest] = known.keys();
  if (known.size > KEPT_MAX && oldest !== undefined) known.delete(oldest);
  return current.redact;
}

function buildRedactor(accountId: string, rows: { name: string; sealed: string }[]): (text: string) => string {
  const values = rows.map((row) => unseal(accountId, row)).filter((value) => value !== null);
  return createRedactor(values).redact;
}

/** A value whose key is lost cannot be sent anywhere either, so it cannot come back. */
function unseal(accountId: string, { name, sealed }: { name: string; sealed: string }): string | null {
  try {
    return openSealed(keyRing(), sealed, { accountId, name });
  } catch (error) {
    if (error instanceof SealBroken) return null;
    throw error;
  }
}
