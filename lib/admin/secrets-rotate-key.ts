import "server-only";
import { allowOnly } from "@/lib/admin/read-flags";
import { rotateSealedValues } from "@/lib/domain/secrets/rotate-sealed-values";

/** `secrets rotate-key`: seals every stored secret anew with the ring's first key. */
export async function secretsRotateKey(flags: Map<string, string>): Promise<object> {
  allowOnly(flags, []);
  return rotateSealedValues();
}
