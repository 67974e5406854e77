import "server-only";
import { configuredMailer } from "@/lib/domain/mail/mailer";
import { driveScope } from "@/lib/engine/drive";
import type { Mailer } from "@/lib/platform/mail/create-mailer";
import { postgres } from "@/lib/platform/postgres";
import { publicBaseUrl } from "@/lib/platform/public-base-url";

interface ClaimedNotification {
  account_id: string;
  run_id: string | null;
  path: string | null;
  title: string;
}

// Two that try at once: one gets the row. A claim that is ten minutes old belongs to a process that
// died while it sent.
const CLAIM = `
UPDATE notifications SET mail_claimed_at = now()
WHERE id = $1 AND emailed_at IS NULL
  AND (mail_claimed_at IS NULL OR mail_claimed_at < now() - interval '10 minutes')
RETURNING account_id, run_id, path, title`;

/**
 * Mails a notification to the account's users whose addresses are proven, once: whoever claims it
 * sends it. When the mail server refuses it the claim is given back and the error thrown, to be
 * tried again; a mail that is sent a second time after a crash keeps its message id, so that
 * mailboxes drop it.
 * @returns whether this call sent it
 */
export async function mailNotification(
  notificationId: string,
  mailer: Mailer | null = configuredMailer(),
): Promise<boolean> {
  if (!mailer) return false;
  const { rows } = await postgres().query<ClaimedNotification>(CLAIM, [notificationId]);
  const claimed = rows[0];
  if (!claimed) return false;
  try {
    driveScope()?.begun();
    await sendToUsers(mailer, notificationId, claimed);
  } catch (error) {
    await postgres().query(
      "UPDATE notifications SET mail_claimed_at = NULL WHERE id = $1 AND emailed_at IS NULL",
      [notificationId],
    );
    throw error;
  }
  await postgres().query("UPDATE notifications SET emailed_at = now() WHERE id = $1", [
    notificationId,
  ]);
  return true;
}

/**
 * Title and link only, to proven addresses only, and of what happens in an account only to those
 * who want it; the mail of a run's end was asked for with the run: neither the operator's name nor
 * a stranger's mailbox carries what a run was made to say.
 */
async function sendToUsers(
  mailer: Mailer,
  notificationId: string,
  { account_id, run_id, path, title }: ClaimedNotification,
): Promise<void> {
  const { rows } = await postgres().query<{ id: string; email: string }>(
    `SELECT id, email FROM users
     WHERE account_id = $1 AND email_verified_at IS NOT NULL AND (event_mails OR $2) ORDER BY id`,
    [account_id, run_id !== null],
  );
  const text =
    `${title}. Read what it says in the console:\n\n` +
    `${publicBaseUrl()}${path ?? `/runs/${run_id}`}\n`;
  for (const user of rows)
    await mailer.send({
      to: user.email,
      subject: title,
      text,
      messageId: `${notificationId}.${user.id}`,
    });
}
