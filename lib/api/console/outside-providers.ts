import "server-only";
import GitHubProvider, { type GithubEmail, type GithubProfile } from "next-auth/providers/github";
import GoogleProvider from "next-auth/providers/google";
import type { OAuthConfig } from "next-auth/providers/oauth";
import { env } from "@/lib/env";

/** A way in beside the password, as the pages offer it. */
export interface OutsideProvider {
  id: string;
  name: string;
}

/** The providers that the operator has set up: GitHub, Google, and any one that speaks OpenID Connect. */
export function outsideProviders() {
  const { GITHUB_CLIENT_ID, GITHUB_CLIENT_SECRET, GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET, OIDC_ISSUER, OIDC_CLIENT_ID } = env();
  return [
    ...(GITHUB_CLIENT_ID ? [gitHubProvider(GITHUB_CLIENT_ID, GITHUB_CLIENT_SECRET)] : []),
    ...(GOOGLE_CLIENT_ID ? [GoogleProvider({ clientId: GOOGLE_CLIENT_ID, clientSecret: GOOGLE_CLIENT_SECRET })] : []),
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
        const answer = await fetch("https://api.github.com/user/emails", { headers: { authorization: `Bearer ${tokens.access_token}` } });
        const emails = answer.ok ? ((await answer.json()) as (GithubEmail & { verified: boolean })[]) : []; // GitHub's documented answer
        return { ...profile, email: emails.find((email) => email.primary && email.verified)?.email };
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
    profile: ({ sub, name, preferred_username, email }) => ({ id: sub, name: name ?? preferred_username, email }),
  };
}
