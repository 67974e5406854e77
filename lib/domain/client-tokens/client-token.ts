import "server-only";
import { z } from "zod";
import { env } from "@/lib/env";
import { CLIENT_POWERS, CLIENT_TOKEN_PREFIX } from "@/lib/model/client-token";
import { readExpiredText, signText } from "@/lib/platform/crypto/sign-text";

// Signed by us alone: read back to be typed, and to refuse what another version has signed.
const claimsSchema = z.object({
  /** Names the token; of two that say the same, each is one of its own. */
  id: z.string(),
  account: z.string(),
  agent: z.string(),
  user: z.string(),
  conversation: z.string().nullable(),
  can: z.array(z.enum(CLIENT_POWERS)),
  origins: z.array(z.string()),
  /** What it ends with: the key or the session that made it. */
  maker: z.enum(["key", "session"]),
  makerId: z.string(),
});

/** All that a token says. Nothing of it is secret: the browser that holds it can read it. */
export type ClientClaims = z.output<typeof claimsSchema>;

/** A token as it was signed, whether or not its time is over. */
export interface SignedClaims extends ClientClaims {
  expiresAt: Date;
}

const signing = () => ({ secret: env().SIGNING_SECRET, purpose: "client-token" });

/** The token that says this until then, a whole second. */
export function signClientToken(claims: ClientClaims, expiresAt: Date): string {
  const end = { now: expiresAt, expiresInSeconds: 0 };
  return CLIENT_TOKEN_PREFIX + signText(JSON.stringify(claims), { ...signing(), ...end });
}

/**
 * What a token of ours says; null for everything else, such as one that was altered by a letter.
 * One whose time is over is read too: its page is to be told so. Nothing here says that the token
 * is good (`authenticateClientToken`).
 */
export function readClientToken(token: string): SignedClaims | null {
  if (!token.startsWith(CLIENT_TOKEN_PREFIX)) return null;
  const signed = readExpiredText(token.slice(CLIENT_TOKEN_PREFIX.length), signing());
  if (!signed) return null;
  const { data } = claimsSchema.safeParse(JSON.parse(signed.text));
  return data ? { ...data, expiresAt: signed.expiresAt } : null;
}
