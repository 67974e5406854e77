import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { openAdmin } from "./setup/open-admin.mjs";
import { runScript } from "./setup/run-script.mjs";

/**
 * For tests: the operator's command, kept open. A command as a process of its own takes two seconds of a processor, and a suite makes hundreds of accounts.
 * Takes `POST /` with the arguments as a JSON array and answers `{output, code}`, what the command would print and its exit code. Prints `{"port": N}` when it
 * listens on loopback; ends when its standard input ends.
 */
await runScript(async (shutdown) => {
  const { answer } = await openAdmin(fileURLToPath(new URL("..", import.meta.url)), shutdown.add);
  const server = createServer(async (request, response) => {
    const args = JSON.parse(await text(request));
    response.end(JSON.stringify(await answer(args)));
  });
  server.listen(0, "127.0.0.1", () => process.stdout.write(`${JSON.stringify(server.address())}\n`));
  process.stdin.resume().once("end", async () => {
    await shutdown.run();
    process.exit(0);
  });
});
