import { spawn } from "node:child_process";
import { SetupError } from "./setup-error.mjs";

const HEAD_LINES = 20;
const TAIL_LINES = 25;

/**
 * Runs a tool to its end and returns what it printed (stdout and stderr together, the last 200,000 characters).
 * Throws a SetupError with the sentence `failure`, the tool's first and last lines as `details` and all it printed as `output` when it cannot start or does not exit with 0.
 * `echo` also passes the output on as it comes; `onStart(pid)` tells the child's process id.
 */
export function runTool(command, args, { cwd, env, failure, echo = false, onStart } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env: env ?? process.env, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    const collect = (stream) => (chunk) => {
      output = (output + chunk).slice(-200_000);
      if (echo) stream.write(chunk);
    };
    child.stdout.setEncoding("utf8").on("data", collect(process.stdout));
    child.stderr.setEncoding("utf8").on("data", collect(process.stderr));
    child.on("error", (error) => reject(new SetupError(`${failure} (${command} could not be started: ${error.code}).`, "")));
    child.on("spawn", () => onStart?.(child.pid));
    child.on("close", (code, signal) => {
      if (code === 0) resolve(output);
      else
        reject(
          Object.assign(new SetupError(`${failure} (${signal ? `stopped by ${signal}` : `exit code ${code}`}).`, mainLines(output)), {
            output,
          }),
        );
    });
  });
}

/** The last lines, and before them the first ones: some tools tell the cause first and then all that follows from it. */
function mainLines(text) {
  const lines = text.trimEnd().split("\n");
  if (lines.length <= HEAD_LINES + TAIL_LINES) return lines.join("\n");
  return [...lines.slice(0, HEAD_LINES), "…", ...lines.slice(-TAIL_LINES)].join("\n");
}
