import "./setup/on-supported-node.mjs";

import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { openAdmin } from "./setup/open-admin.mjs";
import { runScript } from "./setup/run-script.mjs";

/**
 * For tests: the operator's command, kept open. A command as a process of its own takes two seconds
 * of a processor, and a suite makes hundreds of accounts.
 * Takes `POST <url>` with the arguments as a JSON array and answers `{output, code}`, what the
 * command would print and its exit code. Prints `{"url": …}` when it listens on loopback, under a
 * path that nobody can guess: it does all that an operator may. Ends when its standard input ends.
 */
await runScript(async (shutdown) => {
  const { answer } = await openAdmin(fileURLToPath(new URL("..", import.meta.url)), shutdown.add);
  const path = `/${randomBytes(32).toString("base64url")}`;
  const server = createServer(async (request, response) => {
    if (request.url !== path) return void response.writeHead(404).end();
    // A connection that is kept may be closed here at the moment when its next request is sent
    // there, which then fails.
    response.setHeader("connection", "close");
    const args = JSON.parse(await text(request));
    response.end(JSON.stringify(await answer(args)));
  });
  server.listen(0, "127.0.0.1", () => {
    const address = /** @type {import("node:net").AddressInfo} */ (server.address());
    process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${address.port}${path}` })}\n`);
  });
  process.stdin.resume().once("end", async () => {
    await shutdown.run();
    process.exit(0);
  });
});
