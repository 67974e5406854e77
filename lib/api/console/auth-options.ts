import "server-only";
import { headers } from "next/headers";
import type { NextAuthOptions } from "next-auth";
import CredentialsProvider from "next-auth/providers/credentials";
import { outsideProviders } from "@/lib/api/console/outside-providers";
import { CLIENT_ADDRESS_HEADER } from "@/lib/api/http/client-address-header";
import { requestOrigin } from "@/lib/api/http/request-origin";
import { signInThroughProvider } from "@/lib/domain/account/sign-in-through-provider";
import { type SignIn, verifySignIn } from "@/lib/domain/account/verify-sign-in";
import { recordSignIn, type SignInAct } from "@/lib/domain/audit/record-sign-in";
import { endSignedOutSession } from "@/lib/domain/sessions/end-sessions";
import { startSession } from "@/lib/domain/sessions/start-session";
import { env } from "@/lib/env";
import { ServiceError } from "@/lib/model/errors";
import { PASSWORD_MAX_CHARACTERS, SESSION_DAYS } from "@/lib/model/limits";

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
    // All that next-auth would show by itself: its own pages have inline styles, which no policy of ours lets in.
    pages: { signIn: "/sign-in", error: "/sign-in", signOut: "/", verifyRequest: "/sign-in" },
    providers: [passwordProvider(), ...outsideProviders()],
    callbacks: {
      // Only back to our own pages, read as a browser reads it; next-auth's own rule fails on what is no address.
      redirect({ url, baseUrl }) {
        return URL.canParse(url, baseUrl) && new URL(url, baseUrl).origin === baseUrl ? new URL(url, baseUrl).href : baseUrl;
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
        const signedIn = await signInThroughProvider(identity, (await headers()).get(CLIENT_ADDRESS_HEADER) ?? "unknown");
        if (signedIn.outcome !== "signed-in") return `/sign-in?error=${PROVIDER_PROBLEMS[signedIn.outcome]}`;
        await recordSignIn("sign_in.succeeded", { userId: signedIn.userId }, await origin(), account.provider);
        Object.assign(user, { id: signedIn.userId, sessionVersion: signedIn.sessionVersion });
        return true;
      },
      async jwt({ token, user }) {
        // `user` comes with a sign-in only; both ways in put the version beside it.
        if (user) Object.assign(token, await newToken(user.id, (user as { sessionVersion?: number }).sessionVersion ?? 0));
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
  return { userId, sessionId: await startSession({ userId, version, address, userAgent: request.get("user-agent") ?? "" }) };
}

/** Our GitHub provider gives verified addresses only; the others say so in a claim. */
function isVerified(provider: string, profile: unknown): boolean {
  return provider === "github" || (profile as { email_verified?: unknown } | undefined)?.email_verified === true; // a claim of the id token
}

const SIGN_IN_ACTS = {
  "signed-in": "sign_in.succeeded",
  refused: "sign_in.failed",
  "too-many-attempts": "sign_in.locked",
} as const satisfies Record<SignIn["outcome"], SignInAct>;

/** From where the request of this moment came, for the audit log. */
async function origin() {
  return requestOrigin(await headers());
}

function passwordProvider() {
  return CredentialsProvider({
    credentials: { email: { label: "Email", type: "email" }, password: { label: "Password", type: "password" } },
    async authorize(credentials, request) {
      if (!credentials?.email || !credentials.password || credentials.password.length > PASSWORD_MAX_CHARACTERS) return null;
      const address = String(request.headers?.[CLIENT_ADDRESS_HEADER] ?? "unknown");
      const result = await verifySignIn(credentials.email, credentials.password, address).catch((error: unknown) => {
        // The page is told by the name alone.
        throw error instanceof ServiceError ? new Error(error.code) : error;
      });
      await recordSignIn(SIGN_IN_ACTS[result.outcome], { email: credentials.email }, await origin());
      if (result.outcome === "too-many-attempts") throw new Error("TooManyAttempts");
      return result.outcome === "signed-in" ? result.user : null;
    },
  });
}
