import "server-only";

/** Where `scripts/lib/serve.mjs` waits to be told. */
const STARTED = Symbol.for("lathe.started");

/**
 * Tells whoever serves this process that it has started, or why it cannot (`error`, else null). Next goes on serving when its hook has failed; where nobody waits to
 * be told, as under `next start`, a process that cannot work says why and ends.
 */
export function tellStarted(error: unknown): void {
  const tell = (globalThis as unknown as Record<symbol, ((error: unknown) => void) | undefined>)[STARTED]; // the global object has no index signature for symbols
  if (tell) tell(error);
  else if (error !== null) {
    console.error(error instanceof Error && error.name === "SettingsError" ? `\n${error.message}` : error);
    process.exit(1);
  }
}
