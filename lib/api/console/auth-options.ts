import "server-only";
import type { NextAuthOptions } from "next-auth";
import CredentialsProvider from "next-auth/providers/credentials";
import GitHubProvider from "next-auth/providers/github";
import GoogleProvider from "next-auth/providers/google";
import { CLIENT_ADDRESS_HEADER } from "@/lib/api/http/client-address-header";
import { signInThroughProvider } from "@/lib/domain/account/sign-in-through-provider";
import { verifySignIn } from "@/lib/domain/account/verify-sign-in";
import { env } from "@/lib/env";

/** What a session's token holds; the user's row is read at each request. */
export interface SessionToken {
  userId: string;
  sessionVersion: number;
}

/** next-auth with password sign-in, and GitHub or Google where their ids are set. */
export function authOptions(): NextAuthOptions {
  return {
    secret: env().NEXTAUTH_SECRET,
    session: { strategy: "jwt", maxAge: 14 * 24 * 3600 },
    pages: { signIn: "/sign-in", error: "/sign-in" },
    providers: [passwordProvider(), ...outsideProviders()],
    callbacks: {
      async signIn({ user, account, profile }) {
        if (!account || account.provider === "credentials") return true;
        const verified = account.provider !== "google" || (profile as { email_verified?: boolean } | undefined)?.email_verified === true;
        const signedIn = await signInThroughProvider({
          provider: account.provider,
          subject: account.providerAccountId,
          email: verified ? (user.email ?? null) : null,
          name: user.name ?? null,
        });
        if (!signedIn) return false;
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

function outsideProviders() {
  const { GITHUB_CLIENT_ID, GITHUB_CLIENT_SECRET, GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET } = env();
  return [
    ...(GITHUB_CLIENT_ID ? [GitHubProvider({ clientId: GITHUB_CLIENT_ID, clientSecret: GITHUB_CLIENT_SECRET })] : []),
    ...(GOOGLE_CLIENT_ID ? [GoogleProvider({ clientId: GOOGLE_CLIENT_ID, clientSecret: GOOGLE_CLIENT_SECRET })] : []),
  ];
}
