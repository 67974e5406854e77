import { once } from "node:events";
import { createServer, type IncomingMessage, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test, vi } from "vitest";
import { LineStream } from "@/lib/domain/runs/open-stream";
import { NodeRequest, sendAnswer } from "@/lib/server/answer-api";
import type { BodyGuard } from "@/lib/server/body-guard";

let server: Server;
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** Lines that the test gives, and whether somebody still wants them. */
function lines() {
  let wanted = 0;
  let give: (line: string | null) => void = () => {};
  const left = vi.fn();
  const texts: AsyncIterableIterator<string> = {
    [Symbol.asyncIterator]: () => texts,
    next() {
      wanted += 1;
      return new Promise((resolve) => {
        give = (line) =>
          resolve(line === null ? { done: true, value: undefined } : { done: false, value: line });
      });
    },
    async return() {
      give(null);
      return { done: true, value: undefined };
    },
  };
  return {
    stream: () => new LineStream(texts, left),
    give: (line: string | null) => give(line),
    wanted: () => wanted,
    left,
  };
}

/** A server that answers with `answer`; gives what a client that asked has got. */
async function ask(answer: () => Parameters<typeof sendAnswer>[0]): Promise<IncomingMessage> {
  server = createServer((_incoming, outgoing) => {
    sendAnswer(answer(), outgoing).catch(() => outgoing.destroy());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // it listens on a port
  const asked = request({ port }).end();
  const [response] = (await once(asked, "response")) as [IncomingMessage];
  return response;
}

test("each line is sent when it comes, and the answer ends with the last one", async () => {
  const { stream, give, left } = lines();
  const response = await ask(() => ({ status: 200, headers: {}, body: stream() }));
  const got: string[] = [];
  response.setEncoding("utf8").on("data", (text: string) => got.push(text));
  for (const line of ["one\n", "two\n"]) {
    give(line);
    await expect.poll(() => got.at(-1)).toBe(line);
  }
  const ended = once(response, "end");
  give(null);
  await ended;
  expect(left).toHaveBeenCalled();
});

test("a stream that waits for its next line is let go as soon as its client leaves", async () => {
  const { stream, wanted, left } = lines();
  const response = await ask(() => ({ status: 200, headers: {}, body: stream() }));
  await expect.poll(() => wanted()).toBe(1);
  response.destroy();
  await expect.poll(() => left).toHaveBeenCalled();
  expect(wanted()).toBe(1);
});

test("a client that reads nothing is waited for; given up, it loses the connection", async () => {
  const { stream, give, wanted } = lines();
  const giveUp = new AbortController();
  const body = Object.defineProperty(stream(), "broken", { value: giveUp.signal });
  const response = await ask(() => ({ status: 200, headers: {}, body }));
  for (let before = 0; before !== wanted(); ) {
    before = wanted();
    give(`${"x".repeat(1_000_000)}\n`);
    // Whoever has room asks for the next line within a turn or two.
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  expect(wanted()).toBeLessThan(100);
  const connections = () =>
    new Promise((resolve) => server.getConnections((_error, count) => resolve(count)));
  expect(await connections()).toBe(1);
  response.on("error", () => {});
  giveUp.abort();
  await expect.poll(connections).toBe(0);
});

test("a body is read whole up to its bound, and not beyond it", async () => {
  const guard = {} as BodyGuard; // only told of breaks
  const read: (string | null)[] = [];
  for (const bound of [5, 4]) {
    server = createServer((incoming, outgoing) => {
      void new NodeRequest(incoming, outgoing, guard).readAll(bound).then((bytes) => {
        read.push(bytes === null ? null : bytes.toString());
        outgoing.end();
      });
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const asked = request({ port: (server.address() as AddressInfo).port, method: "POST" }).end(
      "12345",
    );
    await once(asked, "response");
    server.close();
  }
  expect(read).toEqual(["12345", null]);
});

test("a body that breaks off is no body: the reader learns it", async () => {
  const guard = {} as BodyGuard; // only told of breaks
  const failed = new Promise<unknown>((resolve) => {
    server = createServer((incoming, outgoing) => {
      void new NodeRequest(incoming, outgoing, guard).readAll(100).catch(resolve);
    }).listen(0, "127.0.0.1");
  });
  await once(server, "listening");
  const asked = request({
    port: (server.address() as AddressInfo).port,
    method: "POST",
    headers: { "content-length": "10" },
  });
  asked.on("error", () => {});
  asked.write("12345");
  await once(server, "request");
  asked.destroy();
  expect(await failed).toMatchObject({ code: "REQUEST_TIMEOUT" });
});
