import { spawn } from "node:child_process";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";

const WATCHDOG = pathToFileURL("lib/platform/watchdog.mjs").href;

/** Runs a program beside a watchdog that tells after two looks and ends after four. */
function watched(program: string): Promise<{ signal: string | null; lines: unknown[] }> {
  const code = `import { startWatchdog } from ${JSON.stringify(WATCHDOG)};
    const dog = startWatchdog({ told: 2, ended: 4 });
    const turn = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
    const stand = (ms) => { const end = performance.now() + ms; while (performance.now() < end); };
    await turn(1_000);
    ${program}`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", code], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let text = "";
  child.stderr.on("data", (chunk) => {
    text += chunk;
  });
  return new Promise((resolve) =>
    child.once("close", (_code, signal) =>
      resolve({
        signal,
        lines: text
          .trim()
          .split("\n")
          .filter(Boolean)
          .map((line): unknown => JSON.parse(line)),
      }),
    ),
  );
}

test("a loop that stands is told with what was at work, and ends for good", async () => {
  const { signal, lines } = await watched(`
    dog.doing("request a long one that is over");
    dog.doing("run 1");
    stand(600_000);`);
  expect(signal).toBe("SIGKILL");
  expect(lines).toEqual([
    expect.objectContaining({ level: 50, doing: "run 1", msg: "the loop stands" }),
    expect.objectContaining({ level: 60, doing: "run 1" }),
  ]);
}, 60_000);

test("a loop that turns is not told of, and one that goes on again is left alone", async () => {
  expect(await watched("await turn(2_500); await dog.stop();")).toEqual({
    signal: null,
    lines: [],
  });
  const { signal, lines } = await watched(`
    dog.doing("request 7");
    stand(700);
    await turn(1_000);
    await dog.stop();`);
  expect(signal).toBe(null);
  expect(lines.at(-1)).toMatchObject({ level: 40, doing: "request 7", msg: "the loop goes on" });
}, 60_000);
