import "server-only";
import { requestIdOf } from "@/lib/api/http/request-id";
import { checkReadiness } from "@/lib/domain/readiness";

/** 200 while runs that are started here are worked on, else 503 with what is missing (contract §16). Needs no key. */
export async function answerReady(request: Request): Promise<Response> {
  const readiness = await checkReadiness();
  return Response.json(readiness, {
    status: readiness.status === "ready" ? 200 : 503,
    headers: { "cache-control": "no-store", "x-request-id": requestIdOf(request) },
  });
}
