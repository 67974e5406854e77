import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import {
  type AddressInfo,
  connect,
  createServer as createTcpServer,
  type Server as TcpServer,
} from "node:net";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import {
  allowedFor,
  createEgressFetch,
  egressFetch,
  egressStream,
} from "@/lib/platform/egress/egress-fetch";
import type { EgressRequest } from "@/lib/platform/egress/open-egress";
import {
  EGRESS_REFUSED_MESSAGE,
  EgressFailed,
  EgressRefused,
  requirePublicTarget,
} from "@/lib/platform/egress/target";
import { TEST_CERTIFICATE } from "@/lib/platform/egress/test-certificate";

const PUBLIC = "93.184.216.34";
const open: (Server | TcpServer)[] = [];
const releases: (() => void)[] = [];

afterEach(async () => {
  for (const release of releases.splice(0)) release();
  for (const server of open.splice(0)) {
    if ("closeAllConnections" in server) server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

async function listen<T extends Server | TcpServer>(server: T): Promise<number> {
  open.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A TCP server that listens has an address with a port.
  return (server.address() as AddressInfo).port;
}

const serve = (handler: RequestListener) => listen(createServer(handler));

/**
 * The world as the guard sees it: every name is public, every connection ends at a server of this
 * test.
 */
function world(port: number, answers: Record<string, string[]> = {}) {
  const lookups: string[] = [];
  const connects: { addresses: string[]; port: number }[] = [];
  const request: EgressRequest = {
    allow: [],
    timeoutMs: 5000,
    maxResponseBytes: 100_000,
    lookup: async (name) => {
      lookups.push(name);
      return answers[name] ?? [PUBLIC];
    },
    connect: (target) => {
      connects.push(target);
      return connect({ host: "127.0.0.1", port });
    },
  };
  return { request, lookups, connects };
}

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString("utf8");
const failure = (reason: string) => expect.objectContaining({ name: "EgressFailed", reason });

async function bodyOf(request: IncomingMessage): Promise<string> {
  let all = "";
  for await (const chunk of request) all += String(chunk);
  return all;
}

describe("egressFetch", () => {
  it("sends method, headers and body to the checked address, and returns the answer", async () => {
    const port = await serve(async (request, response) => {
      const seen = {
        method: request.method,
        url: request.url,
        host: request.headers.host,
        key: request.headers["x-key"],
        body: await bodyOf(request),
      };
      response.writeHead(201, { "x-answer": "yes" }).end(JSON.stringify(seen));
    });
    const { request, lookups, connects } = world(port);
    const answer = await egressFetch("http://api.example.com:81/a?b=c#d", {
      ...request,
      method: "POST",
      headers: { "X-Key": "k" },
      body: "grüß",
    });
    expect(answer).toMatchObject({
      status: 201,
      ended: "complete",
      url: "http://api.example.com:81/a?b=c#d",
    });
    expect(answer.headers.get("x-answer")).toBe("yes");
    expect(JSON.parse(text(answer.body))).toEqual({
      method: "POST",
      url: "/a?b=c",
      host: "api.example.com:81",
      key: "k",
      body: "grüß",
    });
    expect(lookups).toEqual(["api.example.com"]);
    expect(connects).toEqual([{ addresses: [PUBLIC], port: 81 }]);
  });

  it.each([
    ["a private address", ["10.0.0.1"]],
    ["one private address among public ones", [PUBLIC, "8.8.8.8", "127.0.0.1"]],
    ["an IPv4-compatible address", ["::a9fe:a9fe"]],
    ["what is no address at all", ["localhost"]],
  ])("opens no connection when the name resolves to %s", async (_, answers) => {
    const { request, connects } = world(1, { "api.example.com": answers });
    await expect(egressFetch("http://api.example.com/", request)).rejects.toThrow(EgressRefused);
    expect(connects).toEqual([]);
  });

  it("refuses literals, inner names, schemes without asking DNS, in one voice", async () => {
    const { request, lookups, connects } = world(1);
    for (const url of [
      "http://127.0.0.1/",
      "http://[::1]/",
      "http://0x7f.1/",
      "http://localhost/",
      "http://db/",
      "ftp://api.example.com/",
      "http://u:p@api.example.com/",
      "nonsense",
    ]) {
      await expect(egressFetch(url, request), url).rejects.toThrow(EGRESS_REFUSED_MESSAGE);
    }
    expect([...lookups, ...connects]).toEqual([]);
  });

  it("is not fooled by an answer of DNS that changes after the acceptance", async () => {
    let asked = 0;
    const { request, connects } = world(1);
    const lookup = async () => [asked++ === 0 ? PUBLIC : "169.254.169.254"];
    await requirePublicTarget(new URL("http://api.example.com/"), { lookup });
    await expect(egressFetch("http://api.example.com/", { ...request, lookup })).rejects.toThrow(
      EgressRefused,
    );
    expect([asked, connects]).toEqual([2, []]);
  });

  it("asks DNS once for a call, and connects to that answer", async () => {
    const port = await serve((_request, response) => response.end("ok"));
    let asked = 0;
    const { request, connects } = world(port);
    await egressFetch("http://api.example.com/", {
      ...request,
      lookup: async () => [asked++ === 0 ? PUBLIC : "127.0.0.1"],
    });
    expect([asked, connects]).toEqual([1, [{ addresses: [PUBLIC], port: 80 }]]);
  });

  it("really connects to an exempted target, by literal and name, alone", async () => {
    const port = await serve((_request, response) => response.end("inside"));
    const request = {
      timeoutMs: 5000,
      maxResponseBytes: 100,
      allow: [`127.0.0.1:${port}`, `localhost:${port}`],
    };
    expect(text((await egressFetch(`http://127.0.0.1:${port}/`, request)).body)).toBe("inside");
    expect(text((await egressFetch(`http://localhost:${port}/`, request)).body)).toBe("inside");
    await expect(egressFetch(`http://127.0.0.2:${port}/`, request)).rejects.toThrow(EgressRefused);
  });

  it("tries the next of several addresses when one does not answer", async () => {
    const port = await serve((_request, response) => response.end("ok"));
    const answer = await egressFetch(`http://two.test:${port}/`, {
      timeoutMs: 5000,
      maxResponseBytes: 100,
      allow: [`two.test:${port}`],
      lookup: async () => ["127.0.0.2", "127.0.0.1"],
    });
    expect(text(answer.body)).toBe("ok");
  });

  it("opens a connection for each call and leaves none behind", async () => {
    const sockets = new Set<unknown>();
    const port = await serve((request, response) => {
      sockets.add(request.socket);
      response.end(request.headers.connection);
    });
    const { request } = world(port);
    for (let call = 0; call < 3; call += 1)
      expect(text((await egressFetch("http://api.example.com/", request)).body)).toBe("close");
    expect(sockets.size).toBe(3);
  });

  it("pays no heed to a proxy in the environment", async () => {
    const port = await serve((request, response) => response.end(request.url));
    const names = ["HTTP_PROXY", "http_proxy", "NODE_USE_ENV_PROXY"];
    for (const name of names)
      process.env[name] = name.startsWith("NODE") ? "1" : "http://127.0.0.1:1";
    releases.push(() => {
      for (const name of names) delete process.env[name];
    });
    expect(text((await egressFetch("http://api.example.com/x", world(port).request)).body)).toBe(
      "/x",
    );
  });

  it("does not let a caller's headers speak for the connection", async () => {
    const port = await serve(async (request, response) =>
      response.end(JSON.stringify({ ...request.headers, body: await bodyOf(request) })),
    );
    const headers = {
      Host: "evil.test",
      "Transfer-Encoding": "chunked",
      "CONTENT-LENGTH": "1",
      Connection: "keep-alive",
      Upgrade: "h2c",
      Expect: "100-continue",
    };
    const answer = await egressFetch("http://api.example.com/", {
      ...world(port).request,
      method: "POST",
      headers,
      body: "hello",
    });
    const seen = JSON.parse(text(answer.body));
    expect(seen).toMatchObject({
      host: "api.example.com",
      "content-length": "5",
      connection: "close",
      body: "hello",
    });
    expect(seen).not.toHaveProperty("transfer-encoding");
    expect(seen).not.toHaveProperty("upgrade");
  });

  it("refuses a header that would break out of its line, without showing its value", async () => {
    const { request } = world(1);
    const call = egressFetch("http://api.example.com/", {
      ...request,
      headers: { authorization: "Bearer s3cret\r\nx: y" },
    });
    await expect(call).rejects.toEqual(failure("invalid_request"));
    await call.catch((error: EgressFailed) =>
      expect(`${error.message} ${error.cause}`).not.toContain("s3cret"),
    );
  });
});

describe("egressFetch, bounded", () => {
  it("reads no more than the allowed bytes, and says so", async () => {
    const port = await serve((_request, response) => response.end("x".repeat(1000)));
    const { request } = world(port);
    const at = async (maxResponseBytes: number) => {
      const { body, ended } = await egressFetch("http://api.example.com/", {
        ...request,
        maxResponseBytes,
      });
      return [body.byteLength, ended];
    };
    expect(await at(1000)).toEqual([1000, "complete"]);
    expect(await at(999)).toEqual([999, "too_large"]);
    expect(await at(0)).toEqual([0, "too_large"]);
  });

  it("hangs up on an endless answer", async () => {
    let closed: () => void = () => {};
    const hungUp = new Promise<void>((resolve) => {
      closed = resolve;
    });
    const port = await serve((_request, response) => {
      const more = () => {
        while (response.write("x".repeat(10_000)));
      };
      response.on("drain", more).on("close", closed);
      more();
    });
    expect(await egressFetch("http://api.example.com/", world(port).request)).toMatchObject({
      status: 200,
      ended: "too_large",
    });
    await hungUp;
  });

  it.each([
    ["gzip", gzipSync],
    ["deflate", deflateSync],
  ])(
    "decodes %s that was not asked for, and counts what comes out of it",
    async (encoding, compress) => {
      const port = await serve((request, response) => {
        expect(request.headers["accept-encoding"]).toBe("identity");
        response
          .writeHead(200, { "content-encoding": encoding })
          .end(compress(Buffer.alloc(5_000_000, "a")));
      });
      const answer = await egressFetch("http://api.example.com/", world(port).request);
      expect(answer).toMatchObject({ ended: "too_large" });
      expect(text(answer.body)).toBe("a".repeat(100_000));
      expect(answer.headers.has("content-encoding")).toBe(false);
      const whole = await egressFetch("http://api.example.com/", {
        ...world(port).request,
        maxResponseBytes: 5_000_000,
      });
      expect([whole.body.byteLength, whole.ended]).toEqual([5_000_000, "complete"]);
    },
  );

  it("decodes no Brotli, unsafe in many versions of Node.js, nor passes it on", async () => {
    const port = await serve((request, response) => {
      if (request.url === "/empty") response.writeHead(204, { "content-encoding": "br" }).end();
      else
        response
          .writeHead(200, { "content-encoding": "BR" })
          .end(brotliCompressSync("a".repeat(5_000)));
    });
    const answer = await egressFetch("http://api.example.com/", world(port).request);
    expect([answer.ended, answer.body.byteLength]).toEqual(["broken", 0]);
    expect(await egressFetch("http://api.example.com/empty", world(port).request)).toMatchObject({
      status: 204,
      ended: "complete",
    });
  });

  it("counts compressed bytes too, when next to nothing comes out of them", async () => {
    // Stored blocks of no bytes, in a gzip frame: five bytes each, and never the end.
    const head = Buffer.from("1f8b08000000000000ff", "hex");
    const blocks = Buffer.alloc(500_000, Buffer.from("000000ffff", "hex"));
    const port = await serve(
      (_request, response) =>
        void response
          .writeHead(200, { "content-encoding": "gzip" })
          .write(Buffer.concat([head, blocks])),
    );
    const answer = await egressFetch("http://api.example.com/", world(port).request);
    expect([answer.body.byteLength, answer.ended]).toEqual([0, "too_large"]);
  });

  it("reports damaged compression as broken, an empty compressed answer as complete", async () => {
    const port = await serve((request, response) => {
      if (request.url === "/empty") response.writeHead(204, { "content-encoding": "gzip" }).end();
      else response.writeHead(200, { "content-encoding": "gzip" }).end("this is no gzip");
    });
    expect(await egressFetch("http://api.example.com/", world(port).request)).toMatchObject({
      ended: "broken",
    });
    expect(await egressFetch("http://api.example.com/empty", world(port).request)).toMatchObject({
      status: 204,
      ended: "complete",
    });
  });

  it("gives up after timeoutMs: on a name, a connection, a head that never comes", async () => {
    const silent = await listen(
      createTcpServer((socket) => void socket.on("error", () => {}).resume()),
    );
    const { request } = world(silent);
    const slow = { ...request, timeoutMs: 50 };
    await expect(egressFetch("http://api.example.com/", slow)).rejects.toEqual(failure("timeout"));
    await expect(egressFetch("https://api.example.com/", slow)).rejects.toEqual(failure("timeout"));
    await expect(
      egressFetch("http://api.example.com/", { ...slow, lookup: () => new Promise(() => {}) }),
    ).rejects.toEqual(failure("timeout"));
  });

  it("keeps the head and what came of the body when the time runs out within it", async () => {
    const port = await serve((_request, response) => void response.writeHead(202).write("begin"));
    const answer = await egressFetch("http://api.example.com/", {
      ...world(port).request,
      timeoutMs: 200,
    });
    expect(answer).toMatchObject({ status: 202, ended: "timeout" });
    expect(text(answer.body)).toBe("begin");
  });

  it("says broken when the body stops short, unreachable without answer or address", async () => {
    const port = await serve((request, response) => {
      if (request.url === "/none") return void request.socket.destroy();
      response
        .writeHead(200, { "content-length": "10" })
        .write("abc", () => request.socket.destroy());
    });
    const { request } = world(port);
    expect(await egressFetch("http://api.example.com/", request)).toMatchObject({
      ended: "broken",
    });
    await expect(egressFetch("http://api.example.com/none", request)).rejects.toEqual(
      failure("unreachable"),
    );
    await expect(
      egressFetch("http://api.example.com/", { ...request, lookup: async () => [] }),
    ).rejects.toEqual(failure("unreachable"));
    const closed = world(1).request;
    await expect(egressFetch("http://api.example.com/", closed)).rejects.toEqual(
      failure("unreachable"),
    );
    await expect(egressFetch("https://api.example.com/", closed)).rejects.toEqual(
      failure("unreachable"),
    );
  });

  it("survives answers that are not HTTP, too long a head, and an upgrade", async () => {
    const answers = [
      "SSH-2.0-x\r\n",
      `HTTP/1.1 200 OK\r\nx: ${"y".repeat(50_000)}\r\n\r\n`,
      "HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n",
    ];
    for (const answer of answers) {
      const port = await listen(
        createTcpServer(
          (socket) => void socket.on("error", () => {}).once("data", () => socket.end(answer)),
        ),
      );
      await expect(
        egressFetch("http://api.example.com/", world(port).request),
      ).rejects.toBeInstanceOf(EgressFailed);
    }
  });

  it("throws the caller's reason when it gives up, before, during and after the head", async () => {
    const reason = new Error("cancelled");
    const stop = new AbortController();
    const port = await serve(
      (_request, response) => void response.write("begin", () => stop.abort(reason)),
    );
    const { request, connects } = world(port);
    await expect(
      egressFetch("http://api.example.com/", { ...request, signal: stop.signal }),
    ).rejects.toBe(reason);
    expect(connects).toHaveLength(1);
    await expect(
      egressFetch("http://api.example.com/", { ...request, signal: stop.signal }),
    ).rejects.toBe(reason);
    expect(connects).toHaveLength(1);
  });
});

describe("egressFetch over TLS", () => {
  const secure = () =>
    listen(
      createTlsServer(TEST_CERTIFICATE, (request, response) =>
        response.end(`tls ${request.headers.host}`),
      ),
    );

  it("checks the certificate against the name, or the literal, that was called", async () => {
    const { request } = world(await secure());
    const trusting = { ...request, ca: TEST_CERTIFICATE.cert };
    expect(text((await egressFetch("https://api.example.com/", trusting)).body)).toBe(
      "tls api.example.com",
    );
    expect(text((await egressFetch(`https://${PUBLIC}/`, trusting)).body)).toBe(`tls ${PUBLIC}`);
    await expect(egressFetch("https://other.example.com/", trusting)).rejects.toEqual(
      failure("unreachable"),
    );
    await expect(egressFetch("https://8.8.8.8/", trusting)).rejects.toEqual(failure("unreachable"));
  });

  it("trusts no unknown certificate, whatever the environment says", async () => {
    const { request } = world(await secure());
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
    releases.push(() => delete process.env.NODE_TLS_REJECT_UNAUTHORIZED);
    await expect(egressFetch("https://api.example.com/", request)).rejects.toEqual(
      failure("unreachable"),
    );
  });
});

describe("egressFetch and redirects", () => {
  const redirecting = (table: Record<string, [number, string]>) =>
    serve(async (request, response) => {
      const [status, location] = table[request.url ?? ""] ?? [200, ""];
      const seen = {
        url: request.url,
        method: request.method,
        headers: request.headers,
        body: await bodyOf(request),
      };
      if (location === "") response.end(JSON.stringify(seen));
      else response.writeHead(status, { location }).end();
    });

  it("does not follow them unless told to", async () => {
    const { request, connects } = world(await redirecting({ "/": [302, "/next"] }));
    const answer = await egressFetch("http://api.example.com/", request);
    expect([answer.status, answer.headers.get("location"), connects.length]).toEqual([
      302,
      "/next",
      1,
    ]);
  });

  it("checks every hop like the first", async () => {
    const inside = [
      "http://127.0.0.1/",
      "http://[::a9fe:a9fe]/",
      "http://localhost/",
      "http://u:p@api.example.com/",
      "file:///etc/passwd",
      "//2130706433/",
      "http://inner.example.com/",
    ];
    for (const target of inside) {
      const { request, connects } = world(await redirecting({ "/": [302, target] }), {
        "inner.example.com": ["10.0.0.7"],
      });
      await expect(
        egressFetch("http://api.example.com/", { ...request, followRedirects: 3 }),
        target,
      ).rejects.toThrow(EgressRefused);
      expect(connects, target).toHaveLength(1);
    }
  });

  it("follows at most as many as told, then hands the redirect back", async () => {
    const { request, connects } = world(
      await redirecting({ "/a": [302, "/b"], "/b": [301, "/c"], "/c": [307, "/d"] }),
    );
    const two = await egressFetch("http://api.example.com/a", { ...request, followRedirects: 2 });
    expect([two.status, two.url, connects.length]).toEqual([307, "http://api.example.com/c", 3]);
    expect(
      (await egressFetch("http://api.example.com/a", { ...request, followRedirects: 3 })).url,
    ).toBe("http://api.example.com/d");
  });

  it("keeps credentials within the origin and drops possible ones beyond it", async () => {
    const port = await redirecting({
      "/same": [302, "/end"],
      "/other": [302, "http://other.example.com/end"],
      "/port": [302, "http://api.example.com:8080/end"],
    });
    const headers = {
      Authorization: "Bearer s",
      Cookie: "s",
      "X-Api-Key": "s",
      Accept: "text/html",
    };
    const seen = async (path: string) => {
      const answer = await egressFetch(`http://api.example.com${path}`, {
        ...world(port).request,
        headers,
        followRedirects: 1,
      });
      return JSON.parse(text(answer.body)).headers;
    };
    expect(await seen("/same")).toMatchObject({
      authorization: "Bearer s",
      cookie: "s",
      "x-api-key": "s",
      accept: "text/html",
    });
    for (const path of ["/other", "/port"]) {
      const there = await seen(path);
      expect(there.accept).toBe("text/html");
      for (const name of ["authorization", "cookie", "x-api-key"])
        expect(there, name).not.toHaveProperty(name);
    }
  });

  it("turns a POST into a GET by the protocol, and carries no body elsewhere", async () => {
    const port = await redirecting({
      "/303": [303, "/end"],
      "/307": [307, "/end"],
      "/away": [307, "http://other.example.com/end"],
    });
    const post = (path: string) =>
      egressFetch(`http://api.example.com${path}`, {
        ...world(port).request,
        method: "POST",
        body: "b",
        headers: { "content-type": "x/y" },
        followRedirects: 1,
      });
    const to = async (path: string) => JSON.parse(text((await post(path)).body));
    expect(await to("/303")).toMatchObject({
      method: "GET",
      body: "",
      headers: expect.not.objectContaining({ "content-type": "x/y" }),
    });
    expect(await to("/307")).toMatchObject({
      method: "POST",
      body: "b",
      headers: { "content-type": "x/y" },
    });
    expect(await post("/away")).toMatchObject({ status: 307, url: "http://api.example.com/away" });
  });
});

describe("egressStream", () => {
  it("hands on what has come while the answer goes on, and closes when cancelled", async () => {
    let closed: () => void = () => {};
    const hungUp = new Promise<void>((resolve) => {
      closed = resolve;
    });
    const port = await serve(
      (_request, response) => void response.on("close", closed).write("first"),
    );
    const answer = await egressStream("http://api.example.com/", world(port).request);
    const reader = answer.body.getReader();
    expect(text((await reader.read()).value ?? new Uint8Array())).toBe("first");
    await reader.cancel();
    await hungUp;
  });

  it("errors with too_large, timeout, broken or the caller's reason, after the rest", async () => {
    const port = await serve((request, response) => {
      response.write("abc", () => request.url === "/cut" && request.socket.destroy());
      if (request.url === "/long") response.end("defgh");
    });
    const stop = new AbortController();
    const end = async (path: string, more: object) => {
      const { body } = await egressStream(`http://api.example.com${path}`, {
        ...world(port).request,
        ...more,
      });
      const reader = body.getReader();
      await reader.read();
      if (path === "/stop") stop.abort(new Error("stopped"));
      while (!(await reader.read()).done);
    };
    await expect(end("/long", { maxResponseBytes: 5 })).rejects.toEqual(failure("too_large"));
    await expect(end("/idle", { idleTimeoutMs: 50 })).rejects.toEqual(failure("timeout"));
    await expect(end("/cut", {})).rejects.toEqual(failure("broken"));
    await expect(end("/stop", { signal: stop.signal })).rejects.toThrow("stopped");
  });

  it("lives longer than timeoutMs as long as something comes", async () => {
    const port = await serve((_request, response) => {
      let left = 6;
      const timer = setInterval(() => {
        if (left-- > 0) return response.write(".");
        clearInterval(timer);
        return response.end();
      }, 50);
    });
    const { body } = await egressStream("http://api.example.com/", {
      ...world(port).request,
      timeoutMs: 200,
    });
    expect(await new Response(body).text()).toBe("......");
  });

  it("reads the connection no faster than it is read itself", async () => {
    let sent = 0;
    const port = await serve((_request, response) => {
      const more = () => {
        do sent += 65_536;
        while (response.write(Buffer.alloc(65_536)) && sent < 500_000_000);
      };
      response.on("drain", more);
      more();
    });
    const { body } = await egressStream("http://api.example.com/", {
      ...world(port).request,
      maxResponseBytes: 1e9,
    });
    const reader = body.getReader();
    await reader.read();
    // Until the kernel's buffers are full and the server has stalled, in two looks at the count.
    for (let before = -1; before !== sent; ) {
      before = sent;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(sent).toBeLessThan(100_000_000);
    await reader.cancel();
  });
});

describe("createEgressFetch", () => {
  it("is a fetch: takes a URL, a Request and any kind of body, and gives a Response", async () => {
    const port = await serve(async (request, response) => {
      response.writeHead(200, { "content-type": "application/json" }).end(
        JSON.stringify({
          method: request.method,
          type: request.headers["content-type"],
          body: await bodyOf(request),
        }),
      );
    });
    const call = createEgressFetch(world(port).request);
    const response = await call("http://api.example.com/x");
    expect([response.ok, response.url, response.headers.get("content-type")]).toEqual([
      true,
      "http://api.example.com/x",
      "application/json",
    ]);
    expect(await response.json()).toMatchObject({ method: "GET", body: "" });
    expect(
      await (
        await call(new Request("http://api.example.com/", { method: "PUT", body: "r" }))
      ).json(),
    ).toMatchObject({
      method: "PUT",
      body: "r",
    });
    const form = await call(new URL("http://api.example.com/"), {
      method: "POST",
      body: new URLSearchParams({ a: "b" }),
    });
    expect(await form.json()).toMatchObject({
      method: "POST",
      type: expect.stringContaining("urlencoded"),
      body: "a=b",
    });
    const stream = new Blob(["streamed"]).stream();
    expect(
      await (await call("http://api.example.com/", { method: "POST", body: stream })).json(),
    ).toMatchObject({ body: "streamed" });
  });

  it("puts its own headers over the caller's, and guards like the rest", async () => {
    const port = await serve((request, response) => response.end(request.headers.authorization));
    const call = createEgressFetch({
      ...world(port).request,
      headers: { Authorization: "Bearer host" },
    });
    expect(
      await (
        await call("http://api.example.com/", { headers: { authorization: "Bearer library" } })
      ).text(),
    ).toBe("Bearer host");
    await expect(call("http://127.0.0.1/")).rejects.toThrow(EgressRefused);
    await expect(call("http://api.example.com/", { method: "PROPFIND" })).rejects.toEqual(
      failure("invalid_request"),
    );
  });

  it("honours redirect and signal, and gives answers without a body none", async () => {
    const port = await serve((request, response) => {
      if (request.url === "/r") response.writeHead(302, { location: "/ok" }).end();
      else if (request.url === "/hang") response.flushHeaders();
      else response.writeHead(204).end();
    });
    const call = createEgressFetch({ ...world(port).request, followRedirects: 1 });
    expect((await call("http://api.example.com/r")).url).toBe("http://api.example.com/ok");
    expect((await call("http://api.example.com/r", { redirect: "manual" })).status).toBe(302);
    await expect(call("http://api.example.com/r", { redirect: "error" })).rejects.toThrow(
      TypeError,
    );
    expect((await call("http://api.example.com/")).body).toBeNull();
    const stop = new AbortController();
    const hanging = await call("http://api.example.com/hang", { signal: stop.signal });
    stop.abort(new Error("enough"));
    await expect(hanging.text()).rejects.toThrow("enough");
  });
});

describe("ranges that the operator closed", () => {
  const deny = ["93.184.216.0/24", "2606:4700::/32"];

  it("are refused as a literal, as what a name leads to, and at each connection", async () => {
    const reach = { deny, lookup: async () => ["93.184.216.34"] };
    await expect(requirePublicTarget(new URL("https://93.184.216.1/"), reach)).rejects.toThrow(
      EGRESS_REFUSED_MESSAGE,
    );
    await expect(requirePublicTarget(new URL("https://[2606:4700::1111]/"), reach)).rejects.toThrow(
      EGRESS_REFUSED_MESSAGE,
    );
    await expect(requirePublicTarget(new URL("https://api.example.com/"), reach)).rejects.toThrow(
      EGRESS_REFUSED_MESSAGE,
    );
    const connect = () => {
      throw new Error("nothing may be connected");
    };
    await expect(
      egressFetch("https://api.example.com/", {
        ...reach,
        allow: [],
        connect,
        timeoutMs: 1_000,
        maxResponseBytes: 10,
      }),
    ).rejects.toThrow(EgressRefused);
    await requirePublicTarget(new URL("https://api.example.com/"), {
      deny,
      lookup: async () => ["93.184.217.34"],
    });
  });

  it("stay open where a target in them is exempted by name", async () => {
    await requirePublicTarget(new URL("https://93.184.216.1/"), {
      deny,
      allow: ["93.184.216.1:443"],
    });
  });
});

describe("requirePublicTarget", () => {
  const target = new URL("https://hooks.example.com/x");

  it("accepts public addresses, an unresolved name, and one too late", async () => {
    await requirePublicTarget(target, { lookup: async () => [PUBLIC, "2606:4700:4700::1111"] });
    await requirePublicTarget(target, { lookup: async () => [] });
    await requirePublicTarget(target, { lookup: () => new Promise(() => {}), timeoutMs: 10 });
  });

  it("refuses one private address among many, and literals without a question", async () => {
    await expect(
      requirePublicTarget(target, { lookup: async () => [PUBLIC, "fd00::1"] }),
    ).rejects.toThrow(EGRESS_REFUSED_MESSAGE);
    const lookup = async () => expect.unreachable();
    await expect(
      requirePublicTarget(new URL("http://[::ffff:127.0.0.1]/"), { lookup }),
    ).rejects.toThrow(EgressRefused);
  });

  it("lets an exempted target through, and throws the caller's reason then", async () => {
    await requirePublicTarget(new URL("http://localhost:81/"), {
      allow: ["localhost:81"],
      lookup: async () => ["127.0.0.1"],
    });
    const reason = new Error("gone");
    const options = {
      lookup: () => new Promise<string[]>(() => {}),
      signal: AbortSignal.abort(reason),
    };
    await expect(requirePublicTarget(target, options)).rejects.toBe(reason);
  });
});

describe("EGRESS_ALLOW", () => {
  const entries = ["127.0.0.1:80", "10.0.0.7:8080@0197-a", "[::1]:9@0197-B ", "10.0.0.8:80@"];
  it("opens an entry to every account, and one with an account's id to that one alone", () => {
    expect(allowedFor("0197-a", entries)).toEqual(["127.0.0.1:80", "10.0.0.7:8080"]);
    expect(allowedFor("0197-b", entries)).toEqual(["127.0.0.1:80", "[::1]:9"]);
    expect(allowedFor("other", entries)).toEqual(["127.0.0.1:80"]);
  });
});
