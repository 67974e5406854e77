import "server-only";
import type { Principal } from "@/lib/domain/principal";
import { env } from "@/lib/env";
import { ServiceError } from "@/lib/model/errors";
import { once } from "@/lib/platform/once";
import { postgres } from "@/lib/platform/postgres";

const UNREAD_MAX_MS = 60_000;

/**
 * Opens a stream that counts as one of its account's until it ends, whichever way. As many may be open in this process as the account may start runs in a
 * minute, or as its cap `streams` says. `open` is not called for one too many, so that nothing is started for it. A stream of which its reader takes nothing
 * for a minute breaks off: it would hold its lines for ever.
 * @throws ServiceError RATE_LIMITED; whatever `open` rejects with, and then nothing is counted
 */
export async function openStream(
  principal: Principal,
  open: () => Promise<ReadableStream<Uint8Array>>,
): Promise<ReadableStream<Uint8Array>> {
  const leave = takePlace(principal.accountId, await findStreamCap(principal.accountId));
  try {
    return watched(await open(), leave);
  } catch (error) {
    leave();
    throw error;
  }
}

/** How many streams an account may have open at once. */
async function findStreamCap(accountId: string): Promise<number> {
  const { rows } = await postgres().query<{ cap: number }>({
    name: "find-stream-cap",
    text: "SELECT coalesce((a.row_caps ->> 'streams')::int, a.runs_per_minute, $2) AS cap FROM accounts a WHERE a.id = $1",
    values: [accountId, env().RATE_LIMIT_PER_MINUTE],
  });
  return rows[0]?.cap ?? 0;
}

function takePlace(accountId: string, cap: number): () => void {
  const streams = once("open-streams", () => new Map<string, number>());
  const open = streams.get(accountId) ?? 0;
  if (open >= cap) {
    const message = `This account has ${open} streams open, and may have ${cap} at once. Close some, or fetch the runs instead of following them.`;
    throw new ServiceError("RATE_LIMITED", message, {}, { "Retry-After": "5" });
  }
  streams.set(accountId, open + 1);
  let left = false;
  return () => {
    if (left) return;
    left = true;
    const others = (streams.get(accountId) ?? 1) - 1;
    if (others > 0) streams.set(accountId, others);
    else streams.delete(accountId);
  };
}

function watched(stream: ReadableStream<Uint8Array>, leave: () => void): ReadableStream<Uint8Array> {
  const reader = stream.getReader();
  let unread: NodeJS.Timeout | undefined;
  const end = () => {
    clearTimeout(unread);
    leave();
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        clearTimeout(unread);
        const { done, value } = await reader.read().catch((error: unknown) => {
          end();
          throw error;
        });
        if (done) {
          end();
          controller.close();
          return;
        }
        controller.enqueue(value);
        unread = setTimeout(() => {
          end();
          controller.error(new StreamUnread());
          void reader.cancel();
        }, UNREAD_MAX_MS).unref();
      },
      cancel(reason) {
        end();
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 1 },
  );
}

/** Why a stream broke off whose reader took nothing. */
class StreamUnread extends Error {
  override readonly name = "StreamUnread";
  constructor() {
    super(`Nothing of the stream was read for ${UNREAD_MAX_MS / 1000} seconds.`);
  }
}
