import { once } from "node:events";
import { Agent, createServer, type IncomingMessage, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { afterEach, expect, test } from "vitest";
import { drainRequest } from "@/lib/server/listener";

let server: Server;
let agent: Agent;
afterEach(() => {
  agent.destroy();
  server.closeAllConnections();
  server.close();
});

async function send(port: number, bytes: number) {
  const call = request({ port, host: "127.0.0.1", method: "POST", agent, timeout: 5_000 });
  call.on("timeout", () => call.destroy(new Error("no answer")));
  call.end(Buffer.alloc(bytes));
  // Node's documented argument.
  const [response] = (await once(call, "response")) as [IncomingMessage];
  response.resume();
  await once(response, "end");
  return {
    status: response.statusCode,
    port: response.socket?.localPort ?? call.socket?.localPort,
  };
}

test("a refusal amid a large body leaves the connection usable for the next", async () => {
  server = createServer(async (incoming, response) => {
    drainRequest(incoming, response);
    // As a web stream, which is read a little and then left alone.
    const reader = Readable.toWeb(incoming).getReader();
    await reader.read();
    response.writeHead(413, { "content-length": 0 }).end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const { port } = server.address() as AddressInfo; // it listens on a port
  const first = await send(port, 3_000_000);
  const second = await send(port, 3_000_000);
  expect([first.status, second.status]).toEqual([413, 413]);
  expect(second.port).toBe(first.port);
});
