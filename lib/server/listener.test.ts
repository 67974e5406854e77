import { once } from "node:events";
import {
  type ClientRequest,
  createServer,
  type IncomingMessage,
  type RequestOptions,
  request,
  type Server,
  type ServerResponse,
} from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterEach, expect, test, vi } from "vitest";
import { isNearAddress, parseTrustedProxies } from "@/lib/server/address-limits";
import type { Timer } from "@/lib/server/body-guard";
import { createListener, type Handler, type ListenerSettings } from "@/lib/server/listener";

const servers: Server[] = [];
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** A clock that stands still until a test moves it. */
class StillClock {
  now = 0;
  #due: { at: number; work: () => void }[] = [];

  readonly timer: Timer = (ms, work) => {
    const entry = { at: this.now + ms, work };
    this.#due.push(entry);
    return () => {
      this.#due = this.#due.filter((each) => each !== entry);
    };
  };

  pass(ms: number): void {
    const end = this.now + ms;
    for (let next = this.#next(end); next; next = this.#next(end)) {
      this.now = next.at;
      this.#due = this.#due.filter((each) => each !== next);
      next.work();
    }
    this.now = end;
  }

  #next(end: number) {
    return this.#due.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
  }
}

async function serve(next: Handler, settings: Partial<ListenerSettings> = {}) {
  const clock = new StillClock();
  const listener = createListener({
    addressesPerMinute: 0,
    connectionsPerAddress: 0,
    trustedProxies: parseTrustedProxies(["127.0.0.1"]),
    now: () => clock.now,
    timer: clock.timer,
    ...settings,
  });
  const server = createServer({ requestTimeout: 0 }, (incoming, response) =>
    listener.answer(incoming, response, next),
  );
  listener.watch(server);
  servers.push(server.listen(0, "127.0.0.1"));
  await once(server, "listening");
  return { port: (server.address() as AddressInfo).port, clock }; // it listens on a port
}

const readWhole: Handler = (incoming, response) => {
  let bytes = 0;
  incoming.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
  });
  incoming.on("end", () => response.end(`read ${bytes}`));
  incoming.on("error", () => {});
};

function open(port: number, options: RequestOptions = {}): ClientRequest {
  const call = request({ port, host: "127.0.0.1", agent: false, ...options });
  call.on("socket", (socket) => sockets.push(socket));
  // Whoever is refused in the middle of a body may find the connection closed when the answer is
  // there already.
  call.on("error", () => {});
  return call;
}

async function answerOf(call: ClientRequest) {
  // Node's documented argument.
  const [response] = (await once(call, "response")) as [IncomingMessage];
  let text = "";
  for await (const chunk of response.setEncoding("utf8")) text += chunk;
  return { status: response.statusCode, headers: response.headers, text };
}

const ask = (port: number, path: string, options: RequestOptions = {}) => {
  const call = open(port, { path, ...options });
  call.end();
  return answerOf(call);
};

test("an address is counted on every path but files and probes, up to a limit", async () => {
  const next = vi.fn<Handler>((_request, response) => void response.end("served"));
  const { port, clock } = await serve(next, { addressesPerMinute: 2 });
  const from = (path: string, address: string) =>
    ask(port, path, { headers: { "x-forwarded-for": address } });
  expect([
    (await from("/", "203.0.113.1")).status,
    (await from("/sign-in", "203.0.113.1")).status,
  ]).toEqual([200, 200]);
  for (const path of [
    "/",
    "/sign-in",
    "/agents?x=1",
    "/_next/image",
    "/_next/static/../../",
    "/_next/static/%2E%2e/x",
    "/_next/static//x",
  ]) {
    const page = await from(path, "203.0.113.1");
    expect([path, page.status, page.headers["retry-after"], page.headers["content-type"]]).toEqual([
      path,
      429,
      "60",
      "text/html; charset=utf-8",
    ]);
  }
  for (const path of [
    "/v1/runs",
    "/api/v1/apps/x/runs",
    "/api/console/v1/runs",
    "/api/auth/csrf",
    "/api/artifacts/x",
    "/api/inngest",
    "/metrics",
    "/api/healthy",
  ]) {
    const json = await from(path, "203.0.113.1");
    expect([path, json.status, JSON.parse(json.text).error]).toEqual([path, 429, "RATE_LIMITED"]);
    expect(json.headers["x-request-id"]).toBeTruthy();
  }
  expect(next).toHaveBeenCalledTimes(2);
  for (const path of ["/_next/static/chunks/app-1.js", "/api/health", "/api/ready?x=1"])
    expect([path, (await from(path, "203.0.113.1")).status]).toEqual([path, 200]);
  expect((await from("/", "203.0.113.2")).status).toBe(200);
  clock.pass(60_000);
  expect((await from("/", "203.0.113.1")).status).toBe(200);
});

test("a body is bounded by its path, said or not, before any sender is asked for", async () => {
  const next = vi.fn<Handler>(readWhole);
  const { port } = await serve(next);
  for (const [path, most] of [
    ["/api/auth/callback/credentials", 8 * 1024],
    ["/api/console/sign-up", 8 * 1024],
    ["/api/console/reset-password", 8 * 1024],
    ["/api/console/profile", 1_048_576],
    ["/sign-in", 1_048_576],
    ["/api/inngest", 4 * 1_048_576],
  ] as const)
    for (const chunked of [false, true]) {
      const send = (bytes: number) => {
        const call = open(port, {
          path,
          method: "POST",
          headers: chunked ? {} : { "content-length": bytes },
        });
        if (chunked) call.write(Buffer.alloc(Math.floor(bytes / 2)));
        call.end(Buffer.alloc(chunked ? Math.ceil(bytes / 2) : bytes));
        return answerOf(call);
      };
      const [whole, tooMuch] = [await send(most), await send(most + 1)];
      expect([path, chunked, whole.text, tooMuch.status]).toEqual([
        path,
        chunked,
        `read ${most}`,
        413,
      ]);
      if (path !== "/sign-in") expect(JSON.parse(tooMuch.text).error).toBe("PAYLOAD_TOO_LARGE");
    }
});

test("an upload is not bounded here, through either API", async () => {
  const { port } = await serve(readWhole);
  const path = "/api/console/v1/workspaces/01939d3b-7c1a-7b60-9f5e-3f7a2c1d0001/files";
  const call = open(port, { path, method: "POST" });
  call.end(Buffer.alloc(3_000_000));
  expect((await answerOf(call)).text).toBe("read 3000000");
});

test("a body without a byte for 20 seconds is answered 408 and cut; others not", async () => {
  const { port, clock } = await serve(readWhole);
  const call = open(port, {
    path: "/api/console/sign-up",
    method: "POST",
    headers: { "content-length": 4 },
  });
  const answer = answerOf(call);
  for (const _ of [1, 2]) {
    call.write("x");
    await untilArrived(call);
    clock.pass(19_999);
  }
  call.write("x");
  await untilArrived(call);
  clock.pass(20_000);
  const { status, headers, text } = await answer;
  expect([status, headers.connection, JSON.parse(text).error]).toEqual([
    408,
    "close",
    "REQUEST_TIMEOUT",
  ]);
});

test("a body that drips has a minute, an upload as long as it drips", async () => {
  const { port, clock } = await serve(readWhole);
  const drip = async (path: string) => {
    const call = open(port, { path, method: "POST", headers: { "content-length": 6 } });
    const answer = answerOf(call);
    for (let n = 0; n < 6; n++) {
      call.write("x");
      await untilArrived(call);
      if (n < 5) clock.pass(15_000);
    }
    return (await answer).status;
  };
  expect(await drip("/api/console/v1/runs")).toBe(408);
  expect(await drip("/api/console/v1/workspaces/w/files")).toBe(200);
});

test("a reader of ours that is slow makes no body late", async () => {
  let read = () => {};
  const { port, clock } = await serve((incoming, response) => {
    read = () => readWhole(incoming, response);
  });
  const call = open(port, { path: "/api/console/v1/runs", method: "POST" });
  const answer = answerOf(call);
  call.end(Buffer.alloc(1_000_000));
  await untilArrived(call);
  clock.pass(55_000);
  read();
  expect((await answer).text).toBe("read 1000000");
});

test("no Host moves the path that is routed: what is no host name is refused", async () => {
  const next = vi.fn<Handler>(
    (incoming, response) => void response.end(`${incoming.headers.host} ${incoming.url}`),
  );
  const { port } = await serve(next);
  for (const host of ["x/v1/account#", "a b", "a?b", "user@x", "x\\y", "a:b:c]"])
    expect([host, (await ask(port, "/api/health", { headers: { host } })).status]).toEqual([
      host,
      400,
    ]);
  expect(next).not.toHaveBeenCalled();
  for (const host of ["localhost:3000", "api.example.com", "[::1]:80", "x_y.test"])
    expect((await ask(port, "/api/health", { headers: { host } })).text).toBe(
      `${host} /api/health`,
    );
  expect((await ask(port, "/v1/nothing", { headers: { host: "x/v1/openapi.json#" } })).status).toBe(
    400,
  );
});

test("what is no HTTP is refused in the contract's words, whichever server", async () => {
  const { port } = await serve(() => {});
  for (const [bytes, status] of [
    ["GET /v1/agents\xe4 HTTP/1.1\r\nHost: localhost\r\n\r\n", 400],
    [`GET / HTTP/1.1\r\nHost: localhost\r\nx: ${"x".repeat(20_000)}\r\n\r\n`, 431],
  ] as const) {
    const socket = connect(port, "127.0.0.1");
    sockets.push(socket);
    socket.end(Buffer.from(bytes, "latin1"));
    let text = "";
    for await (const piece of socket) text += String(piece);
    const [head = "", body = ""] = text.split("\r\n\r\n");
    expect(head).toMatch(
      new RegExp(`^HTTP/1.1 ${status} [\\s\\S]*\\r\\nX-Request-Id: [\\w-]{36}\\r\\n`),
    );
    expect(JSON.parse(body)).toMatchObject({
      error: "INVALID_INPUT",
      message: "The request is not valid HTTP.",
    });
  }
});

test("of an address's connections its limit stays open; a trusted proxy's are free", async () => {
  const next: Handler = (_request, response) => void response.end("served");
  const { port } = await serve(next, { connectionsPerAddress: 2, trustedProxies: [] });
  const agentless = () =>
    ask(port, "/", { headers: { connection: "keep-alive" } }).then(({ status }) => status);
  const idle = [connect(port, "127.0.0.1"), connect(port, "127.0.0.1")];
  sockets.push(...idle);
  await Promise.all(idle.map((socket) => once(socket, "connect")));
  expect(await agentless()).toBe(429);
  const closed = once(idle[0] as Socket, "close"); // two were made above
  idle[0]?.destroy();
  await closed;
  await expect.poll(agentless).toBe(200);
  const behindProxy = await serve(next, { connectionsPerAddress: 1 });
  sockets.push(connect(behindProxy.port, "127.0.0.1"), connect(behindProxy.port, "127.0.0.1"));
  expect((await ask(behindProxy.port, "/")).status).toBe(200);
});

test("of one client few requests are in work, and another's is let in at once", async () => {
  const held: (() => void)[] = [];
  const { port } = await serve((_request, response) => void held.push(() => response.end()));
  const askAsOther = () =>
    ask(port, "/api/console/v1/runs", { headers: { "x-forwarded-for": "203.0.113.2" } });
  const before = askAsOther();
  await expect.poll(() => held.length).toBe(1);
  held[0]?.();
  await before;
  const flood = Array.from({ length: 50 }, (_, n) =>
    ask(port, "/api/console/v1/runs", {
      headers: { "x-forwarded-for": "203.0.113.1", authorization: `Bearer made-up-${n}` },
    }),
  );
  await expect.poll(() => held.length).toBe(3);
  const other = askAsOther();
  await expect.poll(() => held.length).toBe(4);
  held[3]?.();
  expect((await other).status).toBe(200);
  for (let n = 1; n < held.length || n < 52; n++) {
    await expect.poll(() => held.length).toBeGreaterThan(n);
    held[n]?.();
  }
  expect((await Promise.all(flood)).every(({ status }) => status === 200)).toBe(true);
});

test("a stream gives its place back as soon as it stands", async () => {
  const { port } = await serve((_request, response) => {
    response.writeHead(200);
    response.write("first");
  });
  const streams = Array.from({ length: 20 }, () =>
    open(port, { path: "/api/console/v1/runs/x/events" }),
  );
  await Promise.all(
    streams.map((call) => {
      call.end();
      return once(call, "response");
    }),
  );
});

/** Until what was written has been read by the server's side, as far as it reads. */
async function untilArrived(call: ClientRequest): Promise<void> {
  const [server] = servers;
  await expect.poll(() => call.writableLength).toBe(0);
  for (let n = 0; n < 20; n++) await new Promise((resolve) => setImmediate(resolve));
  expect(server?.listening).toBe(true);
}

test("a proxy that nobody trusts is told of once, and only where none is trusted", async () => {
  const answer: Handler = (_request, response) => void response.end();
  const headers = { "x-forwarded-for": "203.0.113.7" };
  const told: string[] = [];
  const settings = { tellUntrusted: (address: string) => void told.push(address) };
  const trusting = await serve(answer, {
    ...settings,
    trustedProxies: parseTrustedProxies(["10.0.0.0/8"]),
  });
  await ask(trusting.port, "/", { headers });
  const { port } = await serve(answer, { ...settings, trustedProxies: [] });
  await ask(port, "/");
  expect(told).toEqual([]);
  for (const path of ["/", "/v1/runs", "/_next/static/x.js"]) await ask(port, path, { headers });
  expect(told).toEqual(["127.0.0.1"]);
});

test("addresses where proxies stand are told from those of the public", () => {
  for (const near of [
    "127.0.0.1",
    "::1",
    "10.1.2.3",
    "172.16.0.1",
    "192.168.1.1",
    "100.64.0.1",
    "fd00::1",
    "fe80::1%eth0",
    "::ffff:10.0.0.1",
  ])
    expect(isNearAddress(near), near).toBe(true);
  for (const far of ["203.0.113.7", "8.8.8.8", "2606:4700::1", "172.32.0.1", ""])
    expect(isNearAddress(far), far).toBe(false);
});

test("a probe is answered while requests take every place and wait for one", async () => {
  const held: ServerResponse[] = [];
  const next = (request: IncomingMessage, response: ServerResponse) => {
    if (request.url === "/api/health") response.end("alive");
    else held.push(response);
  };
  const { port } = await serve(next);
  const waiting = Array.from({ length: 60 }, (_, index) =>
    ask(port, "/slow", { headers: { "x-forwarded-for": `203.0.113.${index}` } }),
  );
  await expect.poll(() => held.length).toBeGreaterThan(10);
  expect((await ask(port, "/api/health")).text).toBe("alive");
  expect(held.length).toBeLessThan(60);
  const end = setInterval(() => {
    for (const response of held.splice(0)) response.end();
  }, 1);
  await Promise.all(waiting);
  clearInterval(end);
});

test("a process that is no web answers for itself alone, and sends others on", async () => {
  const next = vi.fn<Handler>((_request, response) => void response.end("served"));
  const { port } = await serve(next, { isWeb: false });
  const own = ["/api/health", "/api/ready", "/metrics", "/api/inngest?fnId=x"];
  for (const path of own) expect([path, (await ask(port, path)).text]).toEqual([path, "served"]);
  const others = [
    ...["/", "/sign-in", "/v1/runs", "/api/v1/apps/x/runs", "/mcp", "/api/auth/csrf"],
    ...["/_next/static/chunks/app-1.js", "/api/health/x", "/metricsx", "/api/inngestx"],
  ];
  for (const path of others) {
    const { status, headers } = await ask(port, path);
    expect([path, status, headers["retry-after"]]).toEqual([path, 503, "1"]);
  }
  const api = await ask(port, "/v1/runs");
  expect(JSON.parse(api.text)).toMatchObject({ error: "SERVICE_UNAVAILABLE" });
  expect(next).toHaveBeenCalledTimes(own.length);
});
