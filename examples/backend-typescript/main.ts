import { createReadStream } from "node:fs";
import { createClient, LatheApiError, LatheRunError } from "@lathe/client";

const [
  description = "An agent that answers questions about CSV files.",
  question = "What is the mean of the column price in prices.csv?",
] = process.argv.slice(2);
const lathe = createClient(); // LATHE_API_KEY and LATHE_BASE_URL

try {
  const agentId = await lathe.agents.createAndWait({ input: description }, { timeoutMs: 300_000 });
  const { workspace_id } = await lathe.workspaces.create({ name: "Prices" });
  await lathe.files.upload(workspace_id, "prices.csv", createReadStream("prices.csv"));
  // The same key from a second process, or after a crash, finds this run instead of starting
  // another one.
  const start = { idempotencyKey: `prices-${workspace_id}`, timeoutMs: 600_000 };
  const run = await lathe.runs.createAndWait(
    { agent_id: agentId, workspace_id, input: { request: question } },
    start,
  );
  console.log(run.result.text);
  console.error(`${run.usage.credits} credits`);
} catch (error) {
  // What a person has to see to; all else is a fault of this program, and keeps its stack.
  if (error instanceof LatheRunError) console.error(`The run failed: ${error.message}`);
  else if (error instanceof LatheApiError)
    console.error(`${error.serviceMessage} (${error.code}, request ${error.requestId})`);
  else throw error;
  process.exitCode = 1;
}
