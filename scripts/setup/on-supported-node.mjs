import { spawn } from "node:child_process";
import { Socket } from "node:net";
import { delimiter, dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { bringNode } from "./bring-node.mjs";
import { isSupportedNode } from "./node-lines.mjs";
import { SetupError } from "./setup-error.mjs";

/**
 * The first import of every command: on a Node.js that the service does not run on, the command
 * goes on in a process of the one that this clone brings along, and this process is its shell,
 * which hands signals on and ends as it ends. What a command imports has to load on Node 20.19;
 * its own lines, and all that it spawns, run on the supported one.
 *
 * Whoever imports it waits here for ever in the old process: the commands hold their work in the
 * module's own body, which comes after its imports.
 */

/**
 * Names the descriptor of the pipe by which the process learns that its shell was killed: nothing
 * else tells it.
 */
const PIPE = "LATHE_NODE_SHELL_PIPE";
const PIPE_DESCRIPTOR = 3;
/** Those that ask a process to end; a terminal and npm send some of them to both processes. */
const HANDED_ON = /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"]);

if (process.env[PIPE]) endWithShell();
else if (!isSupportedNode(process.versions.node)) await goOnElsewhere();

/** @returns {Promise<never>} */
async function goOnElsewhere() {
  const root = fileURLToPath(new URL("../..", import.meta.url));
  const { program, version } = await bringNode(root).catch(tell);
  // Standard output may be what a program reads (`npm run -s admin`).
  process.stderr.write(
    `Node ${process.versions.node} lacks security fixes: going on with Node ${version}, which ` +
      "this clone brings along.\n",
  );
  const child = spawn(program, [...process.execArgv, ...process.argv.slice(1)], {
    stdio: ["inherit", "inherit", "inherit", "pipe"],
    env: {
      ...process.env,
      [PIPE]: String(PIPE_DESCRIPTOR),
      PATH: [dirname(program), process.env.PATH].filter(Boolean).join(delimiter),
      // What npm would name to the scripts of packages that it installs.
      NODE: program,
      npm_node_execpath: program,
    },
  });
  for (const signal of HANDED_ON) process.on(signal, () => child.kill(signal));
  return new Promise(() => {
    child.on("error", (error) =>
      tell(new SetupError(`${program} could not be started.`, `${error}`)),
    );
    child.on("exit", (code, signal) => {
      if (signal === null) process.exit(code ?? 1);
      for (const name of HANDED_ON) process.removeAllListeners(name);
      process.kill(process.pid, signal);
    });
  });
}

/**
 * @param {unknown} error
 * @returns {never}
 */
function tell(error) {
  if (!(error instanceof SetupError)) throw error;
  process.stderr.write(`${error.message}\n`);
  if (error.details) process.stderr.write(`${error.details.replace(/^/gm, "    ")}\n`);
  process.exit(1);
}

/**
 * Killed with the shell, as one process would be: what comes after is a crash's, told elsewhere.
 */
function endWithShell() {
  const descriptor = Number(process.env[PIPE]);
  delete process.env[PIPE];
  new Socket({ fd: descriptor, readable: true, writable: false })
    .on("error", () => {})
    .on("close", () => process.kill(process.pid, "SIGKILL"))
    .resume()
    .unref();
}
