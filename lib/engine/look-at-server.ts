import "server-only";
import { createHash } from "node:crypto";
import { inngest } from "@/lib/engine/client";
import type { EngineCondition } from "@/lib/engine/engine-state";
import { env } from "@/lib/env";

const ANSWER_MS = 3_000;

/** Asks the Inngest server for our functions, by one call that changes nothing. Never throws. */
export async function lookAtServer(): Promise<Exclude<EngineCondition, "down">> {
  try {
    const response = await fetch(new URL(`/v1/apps/${inngest.id}/functions`, inngest.apiBaseUrl), {
      headers: { authorization: `Bearer ${hashedSigningKey(env().INNGEST_SIGNING_KEY)}` },
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    const text = await response.text();
    if (response.status === 401 || response.status === 403) return "refused";
    if (response.status === 404) return "unregistered";
    if (!response.ok) return "away";
    const functions: unknown = JSON.parse(text);
    return Array.isArray(functions) && functions.length > 0 ? "ok" : "unregistered";
  } catch {
    return "away";
  }
}

/** As Inngest wants it from an app: the prefix, and the SHA-256 of the key's bytes. */
function hashedSigningKey(key: string): string {
  const [prefix = ""] = /^signkey-\w+-/.exec(key) ?? [];
  return (
    prefix +
    createHash("sha256")
      .update(Buffer.from(key.slice(prefix.length), "hex"))
      .digest("hex")
  );
}
