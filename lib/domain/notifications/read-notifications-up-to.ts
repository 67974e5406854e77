import "server-only";
import type { Principal } from "@/lib/domain/principal";
import { postgres } from "@/lib/platform/postgres";

/**
 * Marks as read the notification of this id and all that are older: what came after it has not been
 * seen yet.
 */
export async function readNotificationsUpTo(
  principal: Principal,
  notificationId: string,
): Promise<void> {
  await postgres().query(
    `UPDATE notifications SET read_at = now() WHERE account_id = $1 AND id <= $2
       AND read_at IS NULL`,
    [principal.accountId, notificationId],
  );
}
