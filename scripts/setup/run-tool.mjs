import { spawn } from "node:child_process";
import { join } from "node:path";
import { errorCode } from "../../lib/platform/error-code.mjs";
import { SetupError } from "./setup-error.mjs";

/**
 * @typedef {object} ToolOptions
 * @property {string} [cwd]
 * @property {NodeJS.ProcessEnv} [env]
 * @property {string} failure the sentence for whoever reads that it failed
 * @property {boolean} [echo] also passes the output on as it comes
 * @property {(pid: number) => void} [onStart]
 */

/**
 * The command that runs npm: the very npm that started us when there is one, else the one on the
 * PATH.
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} [environment]
 * @returns {[command: string, args: string[]]}
 */
export function npmCommand(args, environment = process.env) {
  const script = environment.npm_execpath;
  // Yarn and pnpm set the same variable to themselves.
  if (script && /npm-cli\.c?js$/.test(script)) return [process.execPath, [script, ...args]];
  return [process.platform === "win32" ? "npm.cmd" : "npm", args];
}

const HEAD_LINES = 20;
const TAIL_LINES = 25;

/** A tool that did not exit with 0; `details` are its first and last lines. */
export class ToolError extends SetupError {
  /**
   * @param {string} message
   * @param {string} output all that the tool printed
   */
  constructor(message, output) {
    super(message, mainLines(output));
    this.output = output;
  }
}

/**
 * Runs a tool to its end and returns what it printed (stdout and stderr together, the last 200,000
 * characters).
 * Throws a SetupError with the sentence `failure`, the tool's first and last lines as `details` and
 * all it printed as `output` when it cannot start or does not exit with 0.
 * `echo` also passes the output on as it comes; `onStart(pid)` tells the child's process id.
 * @param {string} command
 * @param {string[]} args
 * @param {ToolOptions} options
 * @returns {Promise<string>}
 */
export function runTool(command, args, { cwd, env, failure, echo = false, onStart }) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: env ?? process.env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    /** @param {NodeJS.WriteStream} stream */
    const collect = (stream) => (/** @type {string} */ chunk) => {
      output = (output + chunk).slice(-200_000);
      if (echo) stream.write(chunk);
    };
    child.stdout.setEncoding("utf8").on("data", collect(process.stdout));
    child.stderr.setEncoding("utf8").on("data", collect(process.stderr));
    child.on("error", (error) =>
      reject(
        new SetupError(`${failure} (${command} could not be started: ${errorCode(error)}).`, ""),
      ),
    );
    child.on("spawn", () => {
      if (child.pid !== undefined) onStart?.(child.pid);
    });
    child.on("close", (code, signal) => {
      if (code === 0) resolve(output);
      else
        reject(
          new ToolError(
            `${failure} (${signal ? `stopped by ${signal}` : `exit code ${code}`}).`,
            output,
          ),
        );
    });
  });
}

/**
 * Runs a program of node_modules to its end, its output shown as it comes.
 * @param {string} program a path below `node_modules` of the working folder
 * @param {string[]} args
 * @param {{ cwd: string, env?: Record<string, string> }} options `env`: beside that of this process
 * @returns {Promise<number>} its exit code; 1 where it could not be started, or a signal ended it
 */
export function runProgram(program, args, { cwd, env = {} }) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [join(cwd, "node_modules", program), ...args], {
      cwd,
      env: { ...process.env, ...env },
      stdio: "inherit",
    });
    child.on("error", () => resolve(1)).on("close", (code) => resolve(code ?? 1));
  });
}

/**
 * The last lines, and before them the first ones: some tools tell the cause first and then all that
 * follows from it.
 * @param {string} text
 */
function mainLines(text) {
  const lines = text.trimEnd().split("\n");
  if (lines.length <= HEAD_LINES + TAIL_LINES) return lines.join("\n");
  return [...lines.slice(0, HEAD_LINES), "…", ...lines.slice(-TAIL_LINES)].join("\n");
}
