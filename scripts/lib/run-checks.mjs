import { performance } from "node:perf_hooks";
import { runTool } from "./run-tool.mjs";
import { say } from "./say.mjs";

/**
 * Runs `checks` (`{ title, command, args, needs? }`) two at a time and says of each how it went; one with `needs` waits for the check of
 * that title. Returns the titles of those that failed, each with its output shown.
 */
export async function runChecks(checks, { root, width = 2 }) {
  const results = new Map();
  const queue = [...checks];
  const failed = [];
  const lane = async () => {
    while (queue.length > 0) {
      const place = queue.findIndex(({ needs }) => !needs || results.has(needs));
      if (place < 0) {
        await Promise.race(running.values());
        continue;
      }
      const [check] = queue.splice(place, 1);
      const work = runOne(check, root);
      running.set(check.title, work);
      const passed = await work;
      running.delete(check.title);
      results.set(check.title, passed);
      if (!passed) failed.push(check.title);
    }
  };
  const running = new Map();
  await Promise.all(Array.from({ length: width }, lane));
  return failed;
}

async function runOne({ title, args, command = process.execPath, env }, root) {
  const started = performance.now();
  try {
    await runTool(command, args, { cwd: root, env: { ...process.env, ...env }, failure: `${title} failed` });
    say(`  ✓ ${title} (${seconds(started)})`);
    return true;
  } catch (error) {
    say(`  ✗ ${title} (${seconds(started)})\n${error.output ?? error.details}`);
    return false;
  }
}

function seconds(started) {
  return `${((performance.now() - started) / 1000).toFixed(1)} s`;
}
