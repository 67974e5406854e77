import "server-only";
import type { Principal } from "@/lib/domain/principal";
import { ServiceError } from "@/lib/model/errors";
import { postgres } from "@/lib/platform/postgres";

/** Marks one notification as read; again changes nothing. @throws ServiceError NOT_FOUND */
export async function readNotification(
  principal: Principal,
  notificationId: string,
): Promise<void> {
  const { rowCount } = await postgres().query(
    "UPDATE notifications SET read_at = coalesce(read_at, now()) WHERE id = $1 AND account_id = $2",
    [notificationId, principal.accountId],
  );
  if (rowCount === 0) throw new ServiceError("NOT_FOUND", "There is no such notification.");
}
