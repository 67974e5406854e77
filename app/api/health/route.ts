import { checkHealth } from "@/lib/domain/check-health";

/** 200 while the database and the engine work, else 503. Needs no key. */
export async function GET(): Promise<Response> {
  const health = await checkHealth();
  return Response.json(health, { status: health.status === "ok" ? 200 : 503, headers: { "cache-control": "no-store" } });
}
