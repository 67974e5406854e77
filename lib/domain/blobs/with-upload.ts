import "server-only";
import { fileStore, spaceExceeded } from "@/lib/domain/blobs/stored-bytes";
import { requireWriteQuotaLeft } from "@/lib/domain/limits/hourly-writes";
import { readCap } from "@/lib/domain/limits/row-caps";
import type { Principal } from "@/lib/domain/principal";
import { env } from "@/lib/env";
import { ServiceError } from "@/lib/model/errors";
import { newId } from "@/lib/platform/ids";
import { log } from "@/lib/platform/log";
import { postgres, type Transaction, transaction } from "@/lib/platform/postgres";

/**
 * What a disk must have left besides all uploads under way: the embedded database lies on the same
 * one, and a full disk is an outage for everybody.
 */
const DISK_RESERVE_BYTES = 1024 * 1024 * 1024;
const LEASE_SECONDS = 120;
const RENEW_MS = 30_000;

/** What an upload may come to, before its first byte is read. */
export interface UploadRequest {
  /** What is reserved of the account's space at most. */
  mostBytes: number;
  /** What it takes at the least, as far as its headers tell. */
  leastBytes: number;
  /**
   * The bytes of the file that it may replace, at most; asked only when the space that is left does
   * not do.
   */
  replacedBytes(): Promise<number>;
}

export interface UploadUnderWay {
  id: string;
  /** The file's limit, or less where the account's space ends before. */
  maxBytes: number;
}

/**
 * Takes an upload in: looks at the hourly cap, at the account's uploads under way, at its space and
 * at the disk, and reserves the space, all before the first byte is read. The reservation ends with
 * `work`; one of a process that was killed expires within two minutes.
 * @throws ServiceError RATE_LIMITED (hourly cap, or too many uploads at once), PAYLOAD_TOO_LARGE
 * (the account's space), SERVICE_UNAVAILABLE (the disk)
 */
export async function withUpload<T>(
  principal: Principal,
  request: UploadRequest,
  work: (upload: UploadUnderWay) => Promise<T>,
): Promise<T> {
  await requireWriteQuotaLeft(postgres(), principal);
  await requireDisk(request.mostBytes);
  const upload = await transaction((tx) => reserve(tx, principal.accountId, request));
  const renewal = setInterval(() => void renew(upload.id), RENEW_MS);
  try {
    return await work(upload);
  } finally {
    clearInterval(renewal);
    await postgres()
      .query("DELETE FROM uploads WHERE id = $1 AND account_id = $2", [
        upload.id,
        principal.accountId,
      ])
      .catch((error: unknown) =>
        log.warn({ err: error }, "an upload's reservation could not be given back; it expires"),
      );
  }
}

/** Under the account's lock, so that of many at once each sees the others' reservations. */
async function reserve(
  tx: Transaction,
  accountId: string,
  request: UploadRequest,
): Promise<UploadUnderWay> {
  const account = await tx.query<{ files_bytes: string }>(
    "SELECT files_bytes FROM accounts WHERE id = $1 FOR NO KEY UPDATE",
    [accountId],
  );
  const others = await tx.query<{ count: number; bytes: string }>(
    `SELECT count(*)::int AS count, coalesce(sum(reserved_bytes), 0) AS bytes FROM uploads
     WHERE account_id = $1 AND expires_at > now()`,
    [accountId],
  );
  const cap = await readCap(tx, accountId, "uploads");
  if ((others.rows[0]?.count ?? 0) >= cap) throw tooManyUploads(cap);
  const taken = Number(account.rows[0]?.files_bytes ?? 0) + Number(others.rows[0]?.bytes ?? 0);
  const left = Math.max(0, env().ACCOUNT_FILES_MAX_BYTES - taken);
  const limit = env().FILE_MAX_BYTES;
  const maxBytes =
    request.mostBytes <= left ? limit : Math.min(limit, left + (await request.replacedBytes()));
  if (request.leastBytes > maxBytes) throw spaceExceeded();
  const id = newId();
  await tx.query(
    `INSERT INTO uploads (id, account_id, reserved_bytes, expires_at)
     VALUES ($1, $2, $3, now() + make_interval(secs => $4))`,
    [id, accountId, Math.min(request.mostBytes, left), LEASE_SECONDS],
  );
  return { id, maxBytes };
}

function tooManyUploads(cap: number): ServiceError {
  const message =
    `This account may have ${cap} uploads under way at once. Nothing was stored; try again when ` +
    "one of them has ended.";
  return new ServiceError("RATE_LIMITED", message, {}, { "Retry-After": "5" });
}

/**
 * @throws ServiceError SERVICE_UNAVAILABLE while the disk could not take this upload beside all
 * others under way
 */
async function requireDisk(bytes: number): Promise<void> {
  const free = await fileStore().freeBytes();
  if (free === null) return;
  const { rows } = await postgres().query<{ bytes: string }>(
    "SELECT coalesce(sum(reserved_bytes), 0) AS bytes FROM uploads WHERE expires_at > now()",
  );
  if (free - Number(rows[0]?.bytes ?? 0) - bytes >= DISK_RESERVE_BYTES) return;
  log.error({ free_bytes: free }, "an upload was refused: the disk of DATA_DIR is nearly full");
  throw new ServiceError(
    "SERVICE_UNAVAILABLE",
    "The service has no room for files at the moment. Nothing was stored; try again later, " +
      "or tell its operator.",
    {},
    { "Retry-After": "60" },
  );
}

async function renew(id: string): Promise<void> {
  await postgres()
    .query("UPDATE uploads SET expires_at = now() + make_interval(secs => $2) WHERE id = $1", [
      id,
      LEASE_SECONDS,
    ])
    .catch((error: unknown) =>
      log.warn({ err: error }, "an upload's reservation could not be renewed"),
    );
}
