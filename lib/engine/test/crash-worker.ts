import "server-only";
import pg from "pg";
import { waitOutside } from "@/lib/engine/drive";
import { startEmbeddedExecutor } from "@/lib/engine/embedded/start-embedded-executor";
import { FAKE_APP, testFunction } from "@/lib/engine/test/fake-engine";

/**
 * A process of its own with an executor, for tests that kill it. Its function has six steps, two of
 * them beside a sleep where the event says so; each step writes a row into `effects` when it begins
 * and marks it when it ends.
 */
const pool = new pg.Pool({ connectionString: process.argv[2], max: 12 });
pool.on("error", () => {});

async function effect(run: string, step: string): Promise<string> {
  const { rows } = await pool.query<{ id: string }>(
    "INSERT INTO effects (run, step, pid) VALUES ($1, $2, $3) RETURNING id",
    [run, step, process.pid],
  );
  await new Promise((resolve) => setTimeout(resolve, 5 + Math.random() * 25));
  await pool.query("UPDATE effects SET ended = TRUE WHERE id = $1", [rows[0]?.id]);
  return step;
}

const six = testFunction(
  {
    id: "six",
    triggers: [{ event: "t/six" }],
    retries: 3,
    onFailure: async ({ event }) => void (await effect(String(event.data.run), "failed")),
  },
  async ({ event, step }) => {
    const run = String(event.data.run);
    const seen = [
      await step.run("one", () => effect(run, "one")),
      await step.run("two", () => effect(run, "two")),
    ];
    const nap = event.data.sleeps ? step.sleep("nap", 1_000) : null;
    seen.push(
      await step.run("three", () => effect(run, "three")),
      await step.run("four", () => effect(run, "four")),
    );
    await nap;
    seen.push(
      await step.run("five", () => effect(run, "five")),
      await step.run("six", () => effect(run, "six")),
    );
    await pool.query("INSERT INTO ends (run, result) VALUES ($1, $2)", [run, seen.join(" ")]);
  },
);

/** Its one step ends its process while the event says so, and else takes a while. */
const deadly = testFunction(
  {
    id: "deadly",
    triggers: [{ event: "t/deadly" }],
    retries: 0,
    onFailure: ({ error, event }) => failed(String(event.data.run), error.name),
  },
  async ({ event, step }) => {
    const run = String(event.data.run);
    await step.run("one", async () => {
      await pool.query("INSERT INTO effects (run, step, pid) VALUES ($1, 'one', $2)", [
        run,
        process.pid,
      ]);
      if (event.data.kills) process.kill(process.pid, "SIGKILL");
      await waitOutside(
        () => new Promise((resolve) => setTimeout(resolve, Number(event.data.takesMs ?? 2_000))),
      );
      return "one";
    });
    await pool.query("INSERT INTO ends (run, result) VALUES ($1, 'done')", [run]);
  },
);

async function failed(run: string, name: string): Promise<void> {
  await pool.query("INSERT INTO ends (run, result) VALUES ($1, $2)", [run, name]);
}

const executor = await startEmbeddedExecutor({
  ...{ app: FAKE_APP, functions: [six, deadly], pool, concurrency: 20, backoffMs: () => 20 },
  lanes: [{ name: "deadly", functions: [deadly], places: 20, deathsMax: 2 }],
});
process.on("SIGTERM", () => void executor.stop({ graceMs: 5_000 }).then(() => process.exit(0)));
process.stdout.write("ready\n");
