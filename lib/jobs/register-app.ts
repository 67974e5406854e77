import "server-only";
import { createHmac } from "node:crypto";
import { env } from "@/lib/env";
import { engineEndpoint } from "@/lib/jobs/engine-endpoint";

/**
 * Tells the Inngest server the functions of this service and where it finds them, as a call of the server's own would. Doing it again changes nothing.
 * @returns what is wrong, or null when it is done
 */
export async function registerApp(): Promise<string | null> {
  const endpoint = engineEndpoint();
  if (!endpoint) return null;
  const body = "{}";
  const headers = { "content-type": "application/json", "x-inngest-signature": signatureOf(body) };
  try {
    const response = await endpoint.handle(new Request("http://localhost/api/inngest", { method: "PUT", headers, body }));
    const text = await response.text();
    return response.ok ? null : `${response.status} ${text.slice(0, 500)}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** As Inngest signs: HMAC-SHA256 of the body and the second, by the key without its prefix. */
function signatureOf(body: string): string {
  const second = String(Math.floor(Date.now() / 1000));
  const key = env().INNGEST_SIGNING_KEY.replace(/^signkey-\w+-/, "");
  return `t=${second}&s=${createHmac("sha256", key).update(body).update(second).digest("hex")}`;
}
