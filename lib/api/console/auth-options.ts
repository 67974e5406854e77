import "server-only";
import type { AuthenticationResponseJSON } from "@simplewebauthn/server";
import { cookies, headers } from "next/headers";
import NextAuth, { type NextAuthOptions } from "next-auth";
import CredentialsProvider from "next-auth/providers/credentials";
import GitHubProvider, { type GithubEmail, type GithubProfile } from "next-auth/providers/github";
import GoogleProvider from "next-auth/providers/google";
import type { OAuthConfig } from "next-auth/providers/oauth";
import { FOREIGN_ORIGIN, isOwnOrigin, ownSignInPage } from "@/lib/api/console/require-same-origin";
import { passkeyAnswerField } from "@/lib/api/console/session/passkey-answer";
import { deviceCookie, usersOfDevice } from "@/lib/api/console/signed-cookies";
import { errorAnswer } from "@/lib/api/http/answer";
import { CLIENT_ADDRESS_HEADER, requestIdOf, requestOrigin } from "@/lib/api/http/request";
import { signInThroughProvider } from "@/lib/domain/account/sign-in-through-provider";
import {
  type SignIn,
  verifyPasskeySignIn,
  verifySignIn,
} from "@/lib/domain/account/verify-sign-in";
import { recordSignIn, type SignInAct } from "@/lib/domain/audit/record-sign-in";
import { endSignedOutSession } from "@/lib/domain/sessions/end-sessions";
import { startSession } from "@/lib/domain/sessions/start-session";
import { env } from "@/lib/env";
import { ERROR_STATUS, invalidInput, ServiceError } from "@/lib/model/errors";
import { EMAIL_MAX_CHARACTERS, SESSION_DAYS } from "@/lib/model/limits";

/** What a session's token holds; the rows of both are read at each request. */
export interface SessionToken {
  userId: string;
  /** Null when the user was gone before the session began. */
  sessionId: string | null;
}

/** next-auth with password sign-in, and the providers that are set up. */
export function authOptions(): NextAuthOptions {
  return {
    secret: env().NEXTAUTH_SECRET,
    session: { strategy: "jwt", maxAge: SESSION_DAYS * 24 * 3600 },
    // All that next-auth would show by itself: its own pages have inline styles, which no policy of
    // ours lets in.
    pages: { signIn: "/sign-in", error: "/sign-in", signOut: "/", verifyRequest: "/sign-in" },
    providers: [passwordProvider(), ...outsideProviders()],
    callbacks: {
      // Only back to our own pages, read as a browser reads it; next-auth's own rule fails on what
      // is no address.
      redirect({ url, baseUrl }) {
        return URL.canParse(url, baseUrl) && new URL(url, baseUrl).origin === baseUrl
          ? new URL(url, baseUrl).href
          : baseUrl;
      },
      async signIn({ user, account, profile }) {
        if (!account || account.provider === "credentials") return true;
        const identity = {
          // Two issuers may give the same id to different people.
          provider: account.provider === "oidc" ? env().OIDC_ISSUER : account.provider,
          subject: account.providerAccountId,
          verifiedEmail: isVerified(account.provider, profile) ? (user.email ?? null) : null,
          name: user.name ?? null,
          actor: { kind: "anonymous", id: null, label: null, ...(await origin()) } as const,
        };
        const signedIn = await signInThroughProvider(
          identity,
          (await headers()).get(CLIENT_ADDRESS_HEADER) ?? "unknown",
        );
        if (signedIn.outcome !== "signed-in")
          return `/sign-in?error=${PROVIDER_PROBLEMS[signedIn.outcome]}`;
        await recordSignIn(
          "sign_in.succeeded",
          { userId: signedIn.userId },
          await origin(),
          account.provider,
        );
        Object.assign(user, { id: signedIn.userId, sessionVersion: signedIn.sessionVersion });
        return true;
      },
      async jwt({ token, user }) {
        // `user` comes with a sign-in only; both ways in put the version beside it.
        if (user)
          Object.assign(
            token,
            await newToken(user.id, (user as { sessionVersion?: number }).sessionVersion ?? 0),
          );
        return token;
      },
      session({ session, token }) {
        return Object.assign(session, { userId: token.userId, sessionId: token.sessionId });
      },
    },
    events: {
      async signOut({ token }) {
        if (typeof token?.sessionId !== "string") return;
        await endSignedOutSession(token.sessionId, String(token.userId));
        await recordSignIn("session.signed_out", { userId: String(token.userId) }, await origin());
      },
    },
  };
}

/** Why a provider's word did not open the console, as the sign-in page is told. */
const PROVIDER_PROBLEMS = {
  "address-taken": "AddressTaken",
  "no-verified-address": "NoVerifiedAddress",
  "sign-up-closed": "SignUpClosed",
  "too-many-sign-ups": "TooManySignUps",
} as const;

async function newToken(userId: string, version: number): Promise<SessionToken> {
  const request = await headers();
  const address = request.get(CLIENT_ADDRESS_HEADER) ?? "unknown";
  return {
    userId,
    sessionId: await startSession({
      userId,
      version,
      address,
      userAgent: request.get("user-agent") ?? "",
    }),
  };
}

/** Our GitHub provider gives verified addresses only; the others say so in a claim. */
function isVerified(provider: string, profile: unknown): boolean {
  return (
    provider === "github" ||
    (profile as { email_verified?: unknown } | undefined)?.email_verified === true
  ); // a claim of the id token
}

type Refused = Exclude<SignIn["outcome"], "signed-in">;

/** What the sign-in page is told besides that it did not match. */
const REFUSALS: Partial<Record<Refused, string>> = {
  "too-many-attempts": "TooManyAttempts",
  unproven: "ConfirmFirst",
  "needs-second-factor": "SecondFactor",
  "wrong-code": "WrongCode",
};

/** @throws Error with the word for the page */
function refuse(outcome: Refused): null {
  const word = REFUSALS[outcome];
  if (word) throw new Error(word);
  return null;
}

async function recordAttempt(result: SignIn, typed: string): Promise<void> {
  const act = SIGN_IN_ACTS[result.outcome];
  // Half a sign-in is none, and none that failed.
  if (act === null) return;
  // What is too long to be an address is none of the log's matter.
  const email = typed.length > EMAIL_MAX_CHARACTERS ? "" : typed;
  await recordSignIn(
    act,
    result.outcome === "signed-in" ? { userId: result.user.id } : { email },
    await origin(),
  );
}

/** What the sign-in page sends of a passkey; null for anything else. */
function readPasskeyAnswer(text: string) {
  try {
    const answer = passkeyAnswerField.safeParse(JSON.parse(text)).data;
    return answer
      ? { ...answer, response: answer.response as unknown as AuthenticationResponseJSON }
      : null; // the library looks at the rest
  } catch {
    return null;
  }
}

const SIGN_IN_ACTS = {
  "signed-in": "sign_in.succeeded",
  refused: "sign_in.failed",
  unproven: "sign_in.failed",
  "needs-second-factor": null,
  "wrong-code": "sign_in.failed",
  "too-many-attempts": "sign_in.locked",
} as const satisfies Record<SignIn["outcome"], SignInAct | null>;

/** From where the request of this moment came, for the audit log. */
async function origin() {
  return requestOrigin(await headers());
}

function passwordProvider() {
  return CredentialsProvider({
    credentials: {
      email: { label: "Email", type: "email" },
      password: { label: "Password", type: "password" },
      code: { label: "Code" },
      passkey: { label: "Passkey" },
    },
    async authorize(credentials, request) {
      const { email = "", password, code, passkey } = credentials ?? {};
      if (!passkey && (!email || !password)) return null;
      const address = String(request.headers?.[CLIENT_ADDRESS_HEADER] ?? "unknown");
      const knownUsers = usersOfDevice(cookiesOf(request.headers));
      const answer = passkey ? readPasskeyAnswer(passkey) : null;
      if (passkey && !answer) return null;
      const attempt = answer
        ? verifyPasskeySignIn(answer.challenge_id, answer.response, address)
        : verifySignIn(email, password ?? "", address, { knownUsers, code });
      const result = await attempt.catch((error: unknown) => {
        // The page is told by the name alone.
        throw error instanceof ServiceError ? new Error(error.code) : error;
      });
      await recordAttempt(result, passkey ? "" : email);
      if (result.outcome !== "signed-in") return refuse(result.outcome);
      (await cookies()).set(deviceCookie(cookiesOf(request.headers), result.user.id));
      return result.user;
    },
  });
}

/** next-auth hands headers on as a plain object. */
function cookiesOf(headers: Record<string, unknown> | undefined): string | null {
  return typeof headers?.cookie === "string" ? headers.cookie : null;
}

/** A way in beside the password, as the pages offer it. */
interface OutsideProvider {
  id: string;
  name: string;
}

/**
 * The providers that the operator has set up: GitHub, Google, and any one that speaks OpenID
 * Connect.
 */
function outsideProviders() {
  const {
    GITHUB_CLIENT_ID,
    GITHUB_CLIENT_SECRET,
    GOOGLE_CLIENT_ID,
    GOOGLE_CLIENT_SECRET,
    OIDC_ISSUER,
    OIDC_CLIENT_ID,
  } = env();
  return [
    ...(GITHUB_CLIENT_ID ? [gitHubProvider(GITHUB_CLIENT_ID, GITHUB_CLIENT_SECRET)] : []),
    ...(GOOGLE_CLIENT_ID
      ? [GoogleProvider({ clientId: GOOGLE_CLIENT_ID, clientSecret: GOOGLE_CLIENT_SECRET })]
      : []),
    ...(OIDC_ISSUER && OIDC_CLIENT_ID ? [oidcProvider()] : []),
  ];
}

export function listOutsideProviders(): OutsideProvider[] {
  return outsideProviders().map(({ id, name }) => ({ id, name }));
}

/** GitHub shows a primary address before it is verified: only a verified one is taken. */
function gitHubProvider(clientId: string, clientSecret: string) {
  return GitHubProvider({
    clientId,
    clientSecret,
    userinfo: {
      url: "https://api.github.com/user",
      async request({ client, tokens }) {
        const profile = await client.userinfo<GithubProfile>(tokens.access_token ?? "");
        const answer = await fetch("https://api.github.com/user/emails", {
          headers: { authorization: `Bearer ${tokens.access_token}` },
        });
        const emails = answer.ok
          ? ((await answer.json()) as (GithubEmail & { verified: boolean })[])
          : []; // GitHub's documented answer
        return {
          ...profile,
          email: emails.find((email) => email.primary && email.verified)?.email,
        };
      },
    },
  });
}

interface OidcClaims {
  sub: string;
  name?: string;
  preferred_username?: string;
  email?: string;
}

function oidcProvider(): OAuthConfig<OidcClaims> {
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_NAME } = env();
  return {
    id: "oidc",
    name: OIDC_NAME,
    type: "oauth",
    wellKnown: `${OIDC_ISSUER}/.well-known/openid-configuration`,
    clientId: OIDC_CLIENT_ID,
    clientSecret: OIDC_CLIENT_SECRET,
    authorization: { params: { scope: "openid email profile" } },
    idToken: true,
    checks: ["pkce", "state", "nonce"],
    profile: ({ sub, name, preferred_username, email }) => ({
      id: sub,
      name: name ?? preferred_username,
      email,
    }),
  };
}

/**
 * next-auth's answers, and 401 to a POST from a page that is not the console's: next-auth's own
 * token does not stop whoever can plant a cookie (another port of the same host, a host of the same
 * domain) from signing a person in to somebody else's account. A POST without an `Origin` comes
 * from no browser; next-auth's token decides about it.
 */
export async function answerAuth(request: Request, context: unknown): Promise<Response> {
  if (request.method === "POST" && request.headers.has("origin") && !isOwnOrigin(request))
    return refusal();
  try {
    return await NextAuth(authOptions())(request, context);
  } catch (error) {
    // It reads the body itself, and fails on what is no JSON.
    return errorAnswer(
      error instanceof SyntaxError ? invalidInput("", "The body is not valid JSON.") : error,
      requestIdOf(request),
    );
  }
}

/** next-auth's code in the browser follows `url`, and reads the error from it. */
function refusal(): Response {
  const body = {
    error: "AUTHENTICATION_REQUIRED",
    message: FOREIGN_ORIGIN,
    url: `${ownSignInPage()}?error=ForeignOrigin`,
  };
  return Response.json(body, {
    status: ERROR_STATUS.AUTHENTICATION_REQUIRED,
    headers: { "cache-control": "no-store" },
  });
}
