import "server-only";
import { once } from "@/lib/platform/once";

interface Window {
  startedAt: number;
  count: number;
}

const WINDOW_MS = 60_000;
const ADDRESSES_MAX = 200_000;

/**
 * Counts a request of an address before anything else is done for it. In the memory of this process: it guards the process, and costs no query.
 * @returns whole seconds to wait, or 0 when the request may go on. `limit` 0 switches it off.
 */
export function takeIpBudget(address: string, limit: number, now = Date.now()): number {
  if (limit === 0) return 0;
  const windows = once("ip-windows", () => new Map<string, Window>());
  const current = windows.get(address);
  if (!current || now - current.startedAt >= WINDOW_MS) {
    if (windows.size >= ADDRESSES_MAX) forgetEnded(windows, now);
    windows.set(address, { startedAt: now, count: 1 });
    return 0;
  }
  current.count += 1;
  return current.count > limit ? Math.max(1, Math.ceil((current.startedAt + WINDOW_MS - now) / 1000)) : 0;
}

function forgetEnded(windows: Map<string, Window>, now: number): void {
  for (const [address, window] of windows) if (now - window.startedAt >= WINDOW_MS) windows.delete(address);
  if (windows.size >= ADDRESSES_MAX) windows.clear();
}
