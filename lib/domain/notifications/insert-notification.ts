import "server-only";
import { isMailConfigured } from "@/lib/domain/mail/mailer";
import { dispatch } from "@/lib/engine/client";
import { newId } from "@/lib/platform/ids";
import type { Transaction } from "@/lib/platform/postgres";

const BODY_MAX_CHARACTERS = 2000;

/**
 * Tells an account's owners, in the console and where mail is set up by e-mail, that a run has
 * ended: once a run.
 * @returns the notification that is to be mailed, if any
 */
export async function insertNotification(
  tx: Transaction,
  entry: { accountId: string; runId: string; title: string; body: string },
): Promise<string | null> {
  const id = newId();
  const { rowCount } = await tx.query(
    "INSERT INTO notifications (id, account_id, run_id, title, body) VALUES ($1, $2, $3, $4, $5) ON CONFLICT (run_id) DO NOTHING",
    [id, entry.accountId, entry.runId, entry.title, cut(entry.body)],
  );
  if (rowCount === 0 || !isMailConfigured()) return null;
  await dispatch(tx, {
    id,
    name: "notification/created",
    data: { notification_id: id },
  });
  return id;
}

/** Postgres takes no lone surrogate, and a cut can make one. */
function cut(text: string): string {
  return text.slice(0, BODY_MAX_CHARACTERS).toWellFormed();
}
