import "server-only";
import { checkHealth } from "@/lib/domain/check-health";
import { newId } from "@/lib/platform/ids";

/** 200 while the database and the engine work, else 503. Needs no key; carries a request id like every answer. */
export async function answerHealth(): Promise<Response> {
  const health = await checkHealth();
  return Response.json(health, {
    status: health.status === "ok" ? 200 : 503,
    headers: { "cache-control": "no-store", "x-request-id": newId() },
  });
}
