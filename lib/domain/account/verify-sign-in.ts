import "server-only";
import { verifyPassword } from "@/lib/platform/crypto/password";
import { postgres } from "@/lib/platform/postgres";
import { prisma } from "@/lib/storage/prisma";

export const FAILED_SIGN_INS_MAX = 10;

export type SignIn =
  | { outcome: "signed-in"; user: { id: string; email: string; name: string; accountId: string; sessionVersion: number } }
  | { outcome: "refused" }
  | { outcome: "too-many-attempts" };

const FAILED = `
INSERT INTO hour_buckets AS b (key, window_started_at, count) VALUES ($1, now(), 1)
ON CONFLICT (key) DO UPDATE SET
  count = CASE WHEN b.window_started_at <= now() - interval '15 minutes' THEN 1 ELSE b.count + 1 END,
  window_started_at = CASE WHEN b.window_started_at <= now() - interval '15 minutes' THEN now() ELSE b.window_started_at END`;

/**
 * Checks an e-mail address and a password. Ten failures of an account, or of an address, within 15 minutes close the door
 * for as long. An unknown user costs the same time as a wrong password.
 */
export async function verifySignIn(email: string, password: string, address: string): Promise<SignIn> {
  const normal = email.trim().toLowerCase();
  const keys = [`sign-in:${normal}`, `sign-in-from:${address}`];
  const { rows } = await postgres().query(
    "SELECT 1 FROM hour_buckets WHERE key = ANY($1) AND count >= $2 AND window_started_at > now() - interval '15 minutes' LIMIT 1",
    [keys, FAILED_SIGN_INS_MAX],
  );
  if (rows.length > 0) return { outcome: "too-many-attempts" };
  const user = await prisma().user.findUnique({ where: { email: normal } });
  const fits = await verifyPassword(user?.passwordHash ?? null, password);
  if (!user || !fits) {
    for (const key of keys) await postgres().query(FAILED, [key]);
    return { outcome: "refused" };
  }
  await postgres().query("DELETE FROM hour_buckets WHERE key = $1", [keys[0]]);
  return {
    outcome: "signed-in",
    user: { id: user.id, email: user.email, name: user.name, accountId: user.accountId, sessionVersion: user.sessionVersion },
  };
}
