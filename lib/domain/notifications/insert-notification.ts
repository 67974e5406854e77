import "server-only";
import { isMailConfigured } from "@/lib/domain/mail/mailer";
import { dispatch } from "@/lib/engine/client";
import { newId } from "@/lib/platform/ids";
import type { Transaction } from "@/lib/platform/postgres";

const BODY_MAX_CHARACTERS = 2000;

/**
 * What is told of once: a run's end, or what has a key of its own and a page where one looks at it.
 */
type NotificationSubject = { runId: string } | { key: string; path: string; runId?: undefined };

/**
 * Tells an account's owners something, in the console and where mail is set up by e-mail: once a
 * subject.
 * @returns the notification that is to be mailed, if any
 */
export async function insertNotification(
  tx: Transaction,
  entry: { accountId: string; title: string; body: string } & NotificationSubject,
): Promise<string | null> {
  const id = newId();
  const { rowCount } = await tx.query(
    `INSERT INTO notifications (id, account_id, run_id, key, path, title, body)
     VALUES ($1, $2, $3, $4, $5, $6, $7)
     ON CONFLICT DO NOTHING`,
    [
      ...[id, entry.accountId, entry.runId ?? null],
      ...("key" in entry ? [entry.key, entry.path] : [null, null]),
      ...[entry.title, cut(entry.body)],
    ],
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
