/**
 * Asks `probe` again and again until it gives something truthy, and returns that. Throws, naming
 * `what`, after `deadlineMs`.
 */
export async function until<T>(
  what: string,
  probe: () => Promise<T | null | undefined | false>,
  { deadlineMs = 120_000, everyMs = 40 }: { deadlineMs?: number; everyMs?: number } = {},
): Promise<T> {
  const end = Date.now() + deadlineMs;
  for (;;) {
    const found = await probe();
    if (found) return found;
    if (Date.now() > end) throw new Error(`Waited ${deadlineMs} ms in vain for ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}
