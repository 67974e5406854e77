import "server-only";

interface Window {
  startedAt: number;
  count: number;
}

const WINDOW_MS = 60_000;
const ADDRESSES_MAX = 200_000;

/**
 * Requests of each address a minute, counted before anything else is done for them. In the memory of this process: it guards the process, and costs no
 * query. At most `addressesMax` are remembered; the address whose window began first is forgotten for a new one, never all of them at once, so that
 * nobody wins a fresh start for everybody by sending from many addresses.
 */
export class AddressLimit {
  /** In the order in which their windows began, which is the order of a Map. */
  readonly #windows = new Map<string, Window>();

  constructor(
    private readonly limit: number,
    private readonly now: () => number = Date.now,
    private readonly addressesMax = ADDRESSES_MAX,
  ) {}

  /** Counts one request. @returns whole seconds to wait, or 0 when it may go on; a limit of 0 lets everything go on */
  take(address: string): number {
    if (this.limit === 0) return 0;
    const now = this.now();
    const current = this.#windows.get(address);
    if (current && now - current.startedAt < WINDOW_MS) {
      current.count += 1;
      return current.count > this.limit ? Math.max(1, Math.ceil((current.startedAt + WINDOW_MS - now) / 1000)) : 0;
    }
    // Deleted first, so that it moves to the end.
    this.#windows.delete(address);
    if (this.#windows.size >= this.addressesMax) this.#forgetOldest();
    this.#windows.set(address, { startedAt: now, count: 1 });
    return 0;
  }

  /** Takes a count back, for a request that proved to come from ourselves. */
  giveBack(address: string): void {
    const current = this.#windows.get(address);
    if (current && current.count > 0) current.count -= 1;
  }

  #forgetOldest(): void {
    for (const address of this.#windows.keys()) {
      this.#windows.delete(address);
      return;
    }
  }
}
