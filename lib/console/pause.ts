/** Waits; shorter when `signal` aborts or the browser comes back online. Never rejects. */
export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", finish);
      globalThis.removeEventListener?.("online", finish);
      resolve();
    };
    const timer = setTimeout(finish, milliseconds);
    signal.addEventListener("abort", finish);
    globalThis.addEventListener?.("online", finish);
  });
}
