import { afterAll, beforeAll, expect, test } from "vitest";
import { sendAccountMail } from "@/lib/domain/account/account-mail";
import { signUp } from "@/lib/domain/account/sign-up";
import { verifyEmail } from "@/lib/domain/account/verify-email";
import { verifySignIn } from "@/lib/domain/account/verify-sign-in";
import { authenticateKey } from "@/lib/domain/keys/authenticate-key";
import { createKey } from "@/lib/domain/keys/create-key";
import { findSessionPrincipal } from "@/lib/domain/sessions/find-session-principal";
import { startSession } from "@/lib/domain/sessions/start-session";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { env } from "@/lib/env";
import { newId } from "@/lib/platform/ids";
import type { Mail } from "@/lib/platform/mail/create-mailer";

let database: DomainDatabase;
beforeAll(async () => {
  database = await openDomainDatabase();
  Object.assign(env(), {
    SMTP_URL: "smtp://127.0.0.1:1",
    MAIL_FROM: "lathe@example.test",
    SIGN_UP: "open",
  });
});
afterAll(() => database.close());

/** The links of all mails that were asked for, in the order in which they were. */
async function mailedTokens(): Promise<string[]> {
  const sent: Mail[] = [];
  const { rows } = await database.pool.query<{ id: string; data: string }>(
    "SELECT id, data FROM engine_events WHERE name = 'account/mail-requested' ORDER BY id",
  );
  for (const { id, data } of rows) {
    // As it was dispatched.
    const request = JSON.parse(data) as Omit<Parameters<typeof sendAccountMail>[0], "messageId">;
    await sendAccountMail(
      { ...request, messageId: id },
      { send: async (mail) => void sent.push(mail), close() {} },
    );
  }
  return sent.flatMap(({ text }) => /token=([\w-]+)/.exec(text)?.[1] ?? []);
}

/**
 * Signs in and takes what opens the account later: a session and a key. Null for whoever is not let
 * in.
 */
async function enter(
  email: string,
  password: string,
): Promise<{ session: string; userId: string; key: string } | null> {
  const signIn = await verifySignIn(email, password, newId());
  if (signIn.outcome !== "signed-in") return null;
  const { id: userId, sessionVersion: version } = signIn.user;
  const session =
    (await startSession({ userId, version, address: "192.0.2.1", userAgent: "" })) ?? "";
  const found = await findSessionPrincipal(session, userId);
  if (!found) throw new Error("no session");
  const { apiKey: key } = await createKey(found.principal, {
    name: "Left behind",
    agentId: null,
    expiresAt: null,
  });
  return { session, userId, key };
}

test("a sign-up by another's address keeps no session or key beyond the proof", async () => {
  const email = `${newId()}@example.test`;
  await signUp({ email, password: "the stranger's own" }, newId());
  const stranger = await enter(email, "the stranger's own");
  await signUp({ email, password: "the owner's own" }, newId());
  const token = (await mailedTokens()).at(-1) ?? "";
  expect(await verifyEmail(token)).toBe(email);
  expect(stranger && (await findSessionPrincipal(stranger.session, stranger.userId))).toBeNull();
  expect(stranger && (await authenticateKey(stranger.key, "account", "read"))).toBeNull();
  expect(await enter(email, "the stranger's own")).toBeNull();
  expect(await enter(email, "the owner's own")).not.toBeNull();
});
