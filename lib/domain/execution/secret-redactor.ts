import "server-only";
import { keyRing } from "@/lib/domain/secrets/key-ring";
import { createRedactor } from "@/lib/platform/crypto/redact";
import { openSealed, SealBroken } from "@/lib/platform/crypto/seal";
import { postgres } from "@/lib/platform/postgres";

/** Takes the account's secrets, all of them and in every usual encoding, out of a text that goes to a model. */
export async function secretRedactor(accountId: string): Promise<(text: string) => string> {
  const { rows } = await postgres().query<{ name: string; sealed: string }>({
    name: "sealed-secrets",
    text: "SELECT name, sealed FROM secrets WHERE account_id = $1",
    values: [accountId],
  });
  if (rows.length === 0) return (text) => text;
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
