import "server-only";
import { requestIdOf } from "@/lib/api/http/request-id";
import { checkHealth } from "@/lib/domain/check-health";

/** 200 while the database and the engine work, else 503. Needs no key; carries a request id like every answer. */
export async function answerHealth(request: Request): Promise<Response> {
  const health = await checkHealth();
  return Response.json(health, {
    status: health.status === "ok" ? 200 : 503,
    headers: { "cache-control": "no-store", "x-request-id": requestIdOf(request) },
  });
}
