import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { SetupError } from "../setup/setup-error.mjs";

const PROGRAM = fileURLToPath(new URL("./stop-orphan.mjs", import.meta.url));
const DEFAULT_LINGER_SECONDS = 60;
const AGAIN_AFTER_MS = 5_000;
/**
 * Waits in a shell, which takes 2 MB where Node takes 45, and becomes Node only when the other
 * end of its input is gone without a word.
 */
const WAIT = 'if read -r _; then exit 0; fi; exec "$@"';

/**
 * How long a server without owners goes on: EMBEDDED_DATABASE_LINGER_SECONDS.
 * @throws SetupError
 */
export function lingerSeconds() {
  const text = process.env.EMBEDDED_DATABASE_LINGER_SECONDS || String(DEFAULT_LINGER_SECONDS);
  const seconds = Number(text);
  if (text.trim() !== "" && Number.isFinite(seconds) && seconds >= 0) return seconds;
  throw new SetupError(
    `EMBEDDED_DATABASE_LINGER_SECONDS must be a number of seconds from 0 on, not "${text}".`,
  );
}

/**
 * Has a process of its own outlive this one for as long as it takes to stop the server of `folder`
 * that nobody uses any more (stop-orphan.mjs). It is told of this process's end by the pipe that
 * ends with it, whatever ended it; it leads a session of its own, so that no signal to our process
 * group and no terminal's end reaches it. Returns `dismiss()`, for an orderly end.
 * @param {{ folder: string, cluster: string, disposable: boolean }} server
 */
export function watchOwner({ folder, cluster, disposable }) {
  const seconds = lingerSeconds();
  const program = [PROGRAM, folder, cluster, String(seconds), ...(disposable ? ["remove"] : [])];
  const [command, args] =
    process.platform === "win32"
      ? [process.execPath, program]
      : ["/bin/sh", ["-c", WAIT, "lathe-database-watch", process.execPath, ...program]];
  let isDismissed = false;
  /** @type {import("node:child_process").ChildProcess} */
  let child;
  /** @type {NodeJS.Timeout | undefined} */
  let again;
  const start = () => {
    child = spawn(command, args, {
      cwd: "/",
      detached: true,
      stdio: ["pipe", "ignore", "ignore"],
      env: { PATH: process.env.PATH, SystemRoot: process.env.SystemRoot },
    });
    // Somebody may have killed it; the next one takes its place.
    child.stdin?.on("error", () => {});
    child
      .on("error", () => {})
      .once("exit", () => {
        if (isDismissed) return;
        again = setTimeout(start, AGAIN_AFTER_MS).unref();
      });
    child.unref();
    // A child's pipe is a socket, which would keep this process from ending.
    /** @type {import("node:net").Socket} */ (child.stdin).unref();
  };
  start();
  return () => {
    isDismissed = true;
    clearTimeout(again);
    child.stdin?.end("\n");
  };
}
