import "server-only";
import { errorAnswer } from "@/lib/api/http/answer";
import { hostOf, isAccountHost, isAppHost } from "@/lib/api/http/open-hosts";
import { isPlainHost, isSameHost, requestIdOf } from "@/lib/api/http/request";
import { noSuchRoute } from "@/lib/api/http/router";
import { env } from "@/lib/env";
import { ServiceError } from "@/lib/model/errors";
import { isLoopbackHost } from "@/lib/model/loopback-host";
import { configuredBaseUrl } from "@/lib/platform/public-base-url";

const MCP_PATH = "/mcp";
/** Where RFC 9728 §3.1 puts the metadata of a resource that has a path. */
const METADATA_PATH = `/.well-known/oauth-protected-resource${MCP_PATH}`;
const KEPT_SECONDS = 3_600;

/**
 * `GET /.well-known/oauth-protected-resource/mcp`: what a client reads that was refused at `/mcp`
 * (RFC 9728). Needs no key. It names no authorization server, for there is none: keys are made in
 * the console. Never throws.
 */
export async function answerResourceMetadata(request: Request): Promise<Response> {
  const requestId = requestIdOf(request);
  const response = metadataOf(request) ?? errorAnswer(noSuchRoute(), requestId);
  response.headers.set("x-request-id", requestId);
  response.headers.set("x-content-type-options", "nosniff");
  return response;
}

function metadataOf(request: Request): Response | null {
  const host = hostOf(request);
  if (!isAccountHost(host) && !isAppHost(host)) return null;
  const base = surfaceBase(host);
  const metadata = {
    resource: base + MCP_PATH,
    resource_name: "Lathe agents",
    bearer_methods_supported: ["header"],
    // The API's document is on the host of account keys alone.
    ...(isAccountHost(host) && { resource_documentation: `${base}/v1/openapi.json` }),
  };
  return Response.json(metadata, {
    headers: {
      "cache-control": `public, max-age=${KEPT_SECONDS}`,
      // Clients in browsers read it too; there is nothing in it that is anybody's.
      "access-control-allow-origin": "*",
    },
  });
}

/** Where the metadata of the `/mcp` that was called lies: for the 401's `WWW-Authenticate`. */
export function resourceMetadataUrl(request: Request): string {
  return surfaceBase(hostOf(request)) + METADATA_PATH;
}

/**
 * Scheme and host of the surface that was called. A client compares them with what it called, so a
 * surface with a host of its own is named by that host, under the scheme of the public address.
 */
function surfaceBase(host: string): string {
  const configured = configuredBaseUrl();
  const { API_BASE_HOST, APP_BASE_HOST } = env();
  const called = isPlainHost(host) ? host : "localhost";
  if (configured === null) return `http://${called}`;
  const isNamed = [API_BASE_HOST, APP_BASE_HOST].some(
    (name) => name !== "" && isSameHost(called, name),
  );
  return isNamed ? `${new URL(configured).protocol}//${called}` : configured;
}

/**
 * A page of another origin must not have a browser speak to this server in its reader's network
 * (DNS rebinding), even though it has no key. An address and `localhost` cannot be rebound; of
 * names, those that the operator gave count.
 * @throws ServiceError FORBIDDEN
 */
export function requireOwnOrigin(request: Request): void {
  const given = request.headers.get("origin");
  if (given === null) return;
  const origin = URL.canParse(given) ? new URL(given) : null;
  const { API_BASE_HOST, APP_BASE_HOST } = env();
  const configured = configuredBaseUrl();
  const named = [configured === null ? "" : new URL(configured).host, API_BASE_HOST, APP_BASE_HOST];
  const isNamed = named.some((name) => name !== "" && origin && isSameHost(origin.host, name));
  const isAddress =
    origin?.host === hostOf(request) &&
    (isLoopbackHost(origin.hostname) || /^(?:[\d.]+|\[[\da-f:.]+\])$/i.test(origin.hostname));
  if (!isNamed && !isAddress)
    throw new ServiceError("FORBIDDEN", "Pages of other origins may not call this path.");
}
