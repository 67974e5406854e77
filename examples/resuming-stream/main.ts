import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createClient } from "@lathe/client";

/**
 * Where the reader is: written after each event, so that a reader that was killed goes on where it
 * was.
 */
const PLACE = "place.json";

const lathe = createClient(); // LATHE_API_KEY and LATHE_BASE_URL
const place = existsSync(PLACE)
  ? (JSON.parse(readFileSync(PLACE, "utf8")) as { runId: string; after: number })
  : await start();

for await (const event of lathe.runs.events(place.runId, { startingAfter: place.after })) {
  if (event.type === "output_text.delta") process.stdout.write(event.delta);
  if (event.type === "run.completed") process.stdout.write("\n");
  if (event.type === "run.failed") console.error(`The run failed: ${event.error.message}`);
  keep({ runId: place.runId, after: event.sequence_number });
}
rmSync(PLACE);

async function start() {
  const input = { request: process.argv[2] ?? "Count from one to twenty in words." };
  const { run_id } = await lathe.runs.create({ input });
  return keep({ runId: run_id, after: -1 });
}

/** Whole or not at all, however this program ends. */
function keep(place: { runId: string; after: number }) {
  writeFileSync(`${PLACE}.part`, JSON.stringify(place));
  renameSync(`${PLACE}.part`, PLACE);
  return place;
}
