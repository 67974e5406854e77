import "server-only";
import NextAuth from "next-auth";
import { authOptions } from "@/lib/api/console/auth-options";
import { FOREIGN_ORIGIN, isOwnOrigin, ownSignInPage } from "@/lib/api/console/require-same-origin";
import { errorAnswer } from "@/lib/api/http/answer";
import { requestIdOf } from "@/lib/api/http/request";
import { ERROR_STATUS, invalidInput } from "@/lib/model/errors";

/**
 * next-auth's answers, and 401 to a POST from a page that is not the console's: next-auth's own token does not stop whoever can plant a cookie
 * (another port of the same host, a host of the same domain) from signing a person in to somebody else's account. A POST without an `Origin`
 * comes from no browser; next-auth's token decides about it.
 */
export async function answerAuth(request: Request, context: unknown): Promise<Response> {
  if (request.method === "POST" && request.headers.has("origin") && !isOwnOrigin(request)) return refusal();
  try {
    return await NextAuth(authOptions())(request, context);
  } catch (error) {
    // It reads the body itself, and fails on what is no JSON.
    return errorAnswer(error instanceof SyntaxError ? invalidInput("", "The body is not valid JSON.") : error, requestIdOf(request));
  }
}

/** next-auth's code in the browser follows `url`, and reads the error from it. */
function refusal(): Response {
  const body = { error: "AUTHENTICATION_REQUIRED", message: FOREIGN_ORIGIN, url: `${ownSignInPage()}?error=ForeignOrigin` };
  return Response.json(body, { status: ERROR_STATUS.AUTHENTICATION_REQUIRED, headers: { "cache-control": "no-store" } });
}
