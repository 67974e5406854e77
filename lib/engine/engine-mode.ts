import "server-only";
import { env, SettingsError } from "@/lib/env";

/** `server`: an Inngest server drives the functions over HTTP. `embedded`: this process does, on its own queue in Postgres. */
export function engineMode(): "server" | "embedded" {
  const { INNGEST_EVENT_KEY, INNGEST_SIGNING_KEY } = env();
  return (INNGEST_EVENT_KEY !== "" && INNGEST_SIGNING_KEY !== "") || isDevEngine() ? "server" : "embedded";
}

/** Whether the Inngest server is a developer's own, which signs nothing. */
export function isDevEngine(): boolean {
  const { INNGEST_DEV } = env();
  return INNGEST_DEV !== "" && !["0", "false"].includes(INNGEST_DEV.toLowerCase());
}

/**
 * The settings of an Inngest server, whole or not at all: half of them would accept runs that nobody drives, or let anybody drive them.
 * @throws SettingsError, one sentence that says what is missing
 */
export function requireEngineSettings(): void {
  const { INNGEST_EVENT_KEY, INNGEST_SIGNING_KEY, INNGEST_BASE_URL, INNGEST_DEV } = env();
  if (isDevEngine()) {
    const server = INNGEST_BASE_URL || (URL.canParse(INNGEST_DEV) ? INNGEST_DEV : "");
    if (isLoopback(server)) return;
    throw new SettingsError(
      "INNGEST_DEV=1 takes calls without a signature, so it needs INNGEST_BASE_URL to be the address of an Inngest Dev Server on this machine, such as http://127.0.0.1:8288.",
    );
  }
  const given = { INNGEST_EVENT_KEY, INNGEST_SIGNING_KEY, INNGEST_BASE_URL };
  const set = Object.entries(given).flatMap(([name, value]) => (value === "" ? [] : [name]));
  const missing = ["INNGEST_EVENT_KEY", "INNGEST_SIGNING_KEY"].filter((name) => !set.includes(name));
  if (set.length === 0 || missing.length === 0) return;
  throw new SettingsError(
    `${set.join(" and ")} ${set.length === 1 ? "is" : "are"} set, but an Inngest server is used only with ${missing.join(" and ")} too; set ${missing.length === 1 ? "it" : "them"}, or none of these for the embedded executor.`,
  );
}

function isLoopback(address: string): boolean {
  if (!URL.canParse(address)) return false;
  return /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(new URL(address).hostname);
}
