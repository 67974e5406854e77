import "server-only";
import { mailsAreOn } from "@/lib/domain/mail/mailer";
import { dispatchAfterCommit } from "@/lib/engine/dispatch";
import { log } from "@/lib/platform/log";
import { postgres } from "@/lib/platform/postgres";

/** Sends the events of notifications again that nobody has mailed in over a minute: the process died between commit and sending. A mail is claimed, so twice is harmless. */
export async function resendNotifications(): Promise<void> {
  if (!mailsAreOn()) return;
  const { rows } = await postgres().query<{ id: string }>(
    `SELECT id FROM notifications WHERE emailed_at IS NULL AND created_at < now() - interval '1 minute' AND created_at > now() - interval '1 day'
     ORDER BY id LIMIT 500`,
  );
  for (const { id } of rows) {
    await dispatchAfterCommit({ id, name: "notification/created", data: { notification_id: id } }).catch((error: unknown) =>
      log.warn({ err: error, notification_id: id }, "the engine did not take a notification"),
    );
  }
}
