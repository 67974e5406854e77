import "server-only";
import { processHooks } from "./process-hooks.mjs";

/**
 * Tells whoever serves this process that it has started, or why it cannot (`error`, else null).
 * Next goes on serving when its hook has failed; where nobody waits to be told, as under `next
 * start`, a process that cannot work says why and ends.
 */
export function reportStarted(error: unknown): void {
  const { started } = processHooks();
  if (started) started(error);
  else if (error !== null) {
    console.error(
      error instanceof Error && error.name === "SettingsError" ? `\n${error.message}` : error,
    );
    process.exit(1);
  }
}
