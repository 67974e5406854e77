import "server-only";
import { errorAnswer } from "@/lib/api/http/answer";
import { CLIENT_ADDRESS_HEADER, FORWARDED_HEADER, requestIdOf } from "@/lib/api/http/request";
import { noSuchRoute } from "@/lib/api/http/router";
import { invalidInput, ServiceError } from "@/lib/model/errors";

/** What answers an Inngest server. */
export interface EngineEndpoint {
  handle: (request: Request) => Promise<Response>;
  /** Whether it believes signed calls only; a developer's own server signs nothing. */
  isSigned: boolean;
}

const METHODS = ["GET", "POST", "PUT"];

/**
 * Answers `/api/inngest`. Without an endpoint (the embedded executor calls the functions in
 * process) it is a path like any unknown one. A caller that did not prove itself is told so, and
 * nothing of what went wrong: no stack, no path, no list of functions. Never throws.
 */
export async function answerEngineCall(
  request: Request,
  endpoint: EngineEndpoint | null,
): Promise<Response> {
  const requestId = requestIdOf(request);
  const response = await answer(request, endpoint).catch((error: unknown) =>
    errorAnswer(error, requestId),
  );
  response.headers.set("x-request-id", requestId);
  return response;
}

async function answer(request: Request, endpoint: EngineEndpoint | null): Promise<Response> {
  if (!endpoint) throw noSuchRoute();
  if (!endpoint.isSigned && !isFromHere(request)) throw noSuchRoute();
  if (!METHODS.includes(request.method)) {
    const allowed = METHODS.join(", ");
    throw new ServiceError(
      "METHOD_NOT_ALLOWED",
      `This path takes ${allowed}.`,
      {},
      { Allow: allowed },
    );
  }
  // The SDK rejects for a body that is no JSON, before it looks at the signature, and answers every
  // other fault.
  const response = await endpoint.handle(request).catch(() => null);
  // The SDK signs its answers to calls whose signature it found right, and no others.
  if (endpoint.isSigned && !response?.headers.has("x-inngest-signature"))
    throw new ServiceError(
      "AUTHENTICATION_REQUIRED",
      "Only calls that the Inngest server signed with the signing key are answered here.",
    );
  if (!response) throw invalidInput("", "The body is not valid JSON.");
  // A Response of the SDK's may have headers that cannot be changed.
  return new Response(response.body, {
    status: response.status,
    headers: new Headers(response.headers),
  });
}

/**
 * Also when the port is open to others, a server that signs nothing calls from this machine, and by
 * no proxy: behind one on this machine is everybody.
 */
function isFromHere(request: Request): boolean {
  if (request.headers.has(FORWARDED_HEADER)) return false;
  // IPv6 is counted by its /64.
  return /^(127\.|::\/64$)/.test(request.headers.get(CLIENT_ADDRESS_HEADER) ?? "");
}
