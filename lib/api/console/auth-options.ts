import "server-only";
import type { NextAuthOptions } from "next-auth";
import CredentialsProvider from "next-auth/providers/credentials";
import { outsideProviders } from "@/lib/api/console/outside-providers";
import { CLIENT_ADDRESS_HEADER } from "@/lib/api/http/client-address-header";
import { signInThroughProvider } from "@/lib/domain/account/sign-in-through-provider";
import { verifySignIn } from "@/lib/domain/account/verify-sign-in";
import { env } from "@/lib/env";

/** What a session's token holds; the user's row is read at each request. */
export interface SessionToken {
  userId: string;
  sessionVersion: number;
}

/** next-auth with password sign-in, and the providers that are set up. */
export function authOptions(): NextAuthOptions {
  return {
    secret: env().NEXTAUTH_SECRET,
    session: { strategy: "jwt", maxAge: 14 * 24 * 3600 },
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
        const signedIn = await signInThroughProvider({
          // Two issuers may give the same id to different people.
          provider: account.provider === "oidc" ? env().OIDC_ISSUER : account.provider,
          subject: account.providerAccountId,
          verifiedEmail: isVerified(account.provider, profile) ? (user.email ?? null) : null,
          name: user.name ?? null,
        });
        if (signedIn.outcome === "address-taken") return "/sign-in?error=AddressTaken";
        if (signedIn.outcome === "no-verified-address") return "/sign-in?error=NoVerifiedAddress";
        Object.assign(user, { id: signedIn.userId, sessionVersion: signedIn.sessionVersion });
        return true;
      },
      jwt({ token, user }) {
        if (user) Object.assign(token, { userId: user.id, sessionVersion: (user as { sessionVersion?: number }).sessionVersion ?? 0 });
        return token;
      },
      session({ session, token }) {
        return Object.assign(session, { userId: token.userId, sessionVersion: token.sessionVersion });
      },
    },
  };
}

/** Our GitHub provider gives verified addresses only; the others say so in a claim. */
function isVerified(provider: string, profile: unknown): boolean {
  return provider === "github" || (profile as { email_verified?: unknown } | undefined)?.email_verified === true; // a claim of the id token
}

function passwordProvider() {
  return CredentialsProvider({
    credentials: { email: { label: "Email", type: "email" }, password: { label: "Password", type: "password" } },
    async authorize(credentials, request) {
      if (!credentials?.email || !credentials.password || credentials.password.length > 200) return null;
      const address = String(request.headers?.[CLIENT_ADDRESS_HEADER] ?? "unknown");
      const result = await verifySignIn(credentials.email, credentials.password, address);
      if (result.outcome === "too-many-attempts") throw new Error("TooManyAttempts");
      return result.outcome === "signed-in" ? result.user : null;
    },
  });
}
