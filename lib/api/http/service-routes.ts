import "server-only";
import { createHash, timingSafeEqual } from "node:crypto";
import { errorAnswer } from "@/lib/api/http/answer";
import { bearerKey } from "@/lib/api/http/bearer-key";
import { hostOf, isPublicHost } from "@/lib/api/http/open-hosts";
import { requestIdOf } from "@/lib/api/http/request";
import { noSuchRoute } from "@/lib/api/http/router";
import { clientDocument } from "@/lib/domain/connections/client-document";
import { ServiceMetrics } from "@/lib/domain/metrics/service-metrics";
import { readHealth, readinessCheck } from "@/lib/domain/readiness";
import { env } from "@/lib/env";
import { ServiceError } from "@/lib/model/errors";
import { metrics } from "@/lib/platform/metrics/metrics";
import { definePart } from "@/lib/service";

/**
 * 200 while this process works: its neighbours are not cured by its restart (contract §17). Needs
 * no key; carries a request id like every answer.
 */
export function answerHealth(request: Request): Response {
  return Response.json(readHealth(), {
    headers: { "cache-control": "no-store", "x-request-id": requestIdOf(request) },
  });
}

/**
 * 200 while runs that are started here are worked on, else 503 with what is missing (contract §16,
 * §17). Needs no key.
 */
export async function answerReady(request: Request): Promise<Response> {
  const readiness = await readinessCheck().check();
  return Response.json(readiness, {
    status: readiness.status === "ready" ? 200 : 503,
    headers: { "cache-control": "no-store", "x-request-id": requestIdOf(request) },
  });
}

const DOCUMENT_KEPT_SECONDS = 3_600;

/**
 * `GET /client-metadata.json`: the document by which authorization servers of MCP servers know this
 * service. Needs no key. Without a public https address a path like any unknown one.
 */
export function answerClientDocument(request: Request): Response {
  const requestId = requestIdOf(request);
  const document = clientDocument();
  const kept = { "cache-control": `public, max-age=${DOCUMENT_KEPT_SECONDS}` };
  const response = document
    ? Response.json(document, { headers: kept })
    : errorAnswer(noSuchRoute(), requestId);
  response.headers.set("x-request-id", requestId);
  response.headers.set("x-content-type-options", "nosniff");
  return response;
}

export const serviceMetrics = definePart("service-metrics", () => {
  const made = metrics();
  if (made === null) throw new Error("nothing is counted without METRICS_TOKEN");
  return new ServiceMetrics(made.registry);
});

/**
 * `GET /metrics` for Prometheus (text format 0.0.4). Without METRICS_TOKEN a path like any unknown
 * one; with it, for whoever sends it. On the hosts of the surfaces there is no such path either.
 * Never throws.
 */
export async function answerMetrics(request: Request): Promise<Response> {
  const requestId = requestIdOf(request);
  const response = await answer(request).catch((error: unknown) => errorAnswer(error, requestId));
  response.headers.set("x-request-id", requestId);
  response.headers.set("cache-control", "no-store");
  return response;
}

async function answer(request: Request): Promise<Response> {
  const made = metrics();
  if (made === null || isPublicHost(hostOf(request))) throw noSuchRoute();
  if (!isToken(bearerKey(request), env().METRICS_TOKEN))
    throw new ServiceError(
      "AUTHENTICATION_REQUIRED",
      "The metrics are for whoever sends the operator's METRICS_TOKEN as a bearer token.",
      {},
      { "WWW-Authenticate": "Bearer" },
    );
  await serviceMetrics().refresh();
  return new Response(await made.registry.metrics(), {
    headers: { "content-type": made.registry.contentType },
  });
}

function isToken(given: string, token: string): boolean {
  return given !== "" && timingSafeEqual(digest(given), digest(token));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
