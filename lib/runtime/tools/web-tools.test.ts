import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { makePdf } from "@/e2e/support/make-documents";
import type { SearchProviderName } from "@/lib/env";
import type { RunEventBody } from "@/lib/model/run/run-event";
import { allTestTools } from "@/lib/runtime/test/test-tools";
import { executeTool, type ToolContext } from "@/lib/runtime/tools/tool";
import type { FetchRule } from "@/lib/runtime/tools/web-ports";

let server: Server;
let base: string;
/** The same server under another name. */
let elsewhere: string;
let answer: {
  status: number;
  type: string;
  body: string | Buffer;
  headers?: Record<string, string>;
};
let asked: string[] = [];
/** The last request's method, headers and body. */
let sent = { method: "", headers: {} as Record<string, unknown>, body: "" };
let provider: SearchProviderName = "searxng";
let events: RunEventBody[] = [];

beforeAll(async () => {
  server = createServer(async (request, response) => {
    asked.push(request.url ?? "");
    sent = { method: request.method ?? "", headers: request.headers, body: await textOf(request) };
    if (request.url === "/moved") return void response.writeHead(301, { location: "/page" }).end();
    if (request.url === "/away")
      return void response.writeHead(302, { location: `http://${elsewhere}/page?d=data` }).end();
    if (request.url === "/inside")
      return void response.writeHead(302, { location: "http://169.254.169.254/" }).end();
    response
      .writeHead(answer.status, { "content-type": answer.type, ...answer.headers })
      .end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // listens on TCP
  base = `http://127.0.0.1:${port}`;
  elsewhere = `localhost:${port}`;
});

afterAll(() => {
  server.close();
});

beforeEach(() => {
  asked = [];
  events = [];
  provider = "searxng";
  answer = {
    status: 200,
    type: "text/html; charset=utf-8",
    body: "<title>T</title><p>Hi <a href=/x>there</a></p>",
  };
});

async function textOf(request: AsyncIterable<Buffer>): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts).toString();
}

function toolOf(
  name: "web_fetch" | "web_search",
  searchUrl = "",
  isOpen = true,
  fetchRule: FetchRule | null = null,
) {
  const search = searchUrl === "" ? null : { name: provider, url: searchUrl, key: "k-1" };
  const tools = allTestTools({
    reach: { allow: isOpen ? [new URL(base).host, elsewhere] : [] },
    search,
    fetchRule,
  });
  const tool = tools.find((candidate) => candidate.name === name);
  if (!tool) throw new Error("no such tool");
  return tool;
}

async function run(
  name: "web_fetch" | "web_search",
  args: unknown,
  searchUrl = "",
  isOpen = true,
  fetchRule: FetchRule | null = null,
) {
  const tool = toolOf(name, searchUrl, isOpen, fetchRule);
  // The tools use nothing else of it.
  const context = {
    signal: new AbortController().signal,
    emit: (event: RunEventBody) => events.push(event),
  } as unknown as ToolContext;
  return executeTool(tool, args, context);
}

describe("web_fetch", () => {
  it("gives a page's title and text, after redirects", async () => {
    expect(await run("web_fetch", { url: `${base}/moved` })).toEqual({
      succeeded: true,
      output: {
        url: `${base}/page`,
        status: 200,
        content_type: "text/html; charset=utf-8",
        title: "T",
        text: `Hi [there](${base}/x)`,
        next_offset: null,
      },
    });
  });

  it("follows a redirect to another host only where that may be fetched too", async () => {
    const onlyBase: FetchRule = async () => (url) => url.host === new URL(base).host;
    expect(await run("web_fetch", { url: `${base}/away` }, "", true, onlyBase)).toMatchObject({
      succeeded: false,
      output: {
        status: 302,
        location: `http://${elsewhere}/page?d=data`,
        note: expect.stringContaining("not followed"),
      },
    });
    expect(asked).toEqual(["/away"]);
    expect(await run("web_fetch", { url: `${base}/moved` }, "", true, onlyBase)).toMatchObject({
      succeeded: true,
    });
    expect(
      await run("web_fetch", { url: `${base}/away` }, "", true, async () => () => true),
    ).toMatchObject({ succeeded: true });
  });

  it("wants a person asked about an unknown host, and about no refused address", async () => {
    const tool = toolOf(
      "web_fetch",
      "",
      true,
      async () => (url) => url.host === new URL(base).host,
    );
    const reason = (url: string) => tool.reasonToAsk?.({ url });
    expect(await reason(`${base}/page`)).toBeNull();
    expect(await reason(`http://${elsewhere}/?d=data`)).toContain("leaves the service");
    expect(await reason("http://169.254.169.254/")).toBeNull();
    expect(await toolOf("web_fetch").reasonToAsk?.({ url: `http://${elsewhere}/` })).toBeNull();
    expect(tool.preview?.({ url: `http://${elsewhere}/?d=data` })).toMatchObject({
      method: "GET",
      target: `http://${elsewhere}/?d=data`,
    });
  });

  it("gives long texts in pages that join up to the whole", async () => {
    const text = Array.from({ length: 9_000 }, (_, index) => `${index} `).join("");
    answer = { status: 200, type: "text/plain", body: text };
    let joined = "";
    for (let offset: number | null = 0; offset !== null; ) {
      const { output } = (await run("web_fetch", { url: base, offset })) as unknown as {
        output: { text: string; next_offset: number | null };
      };
      joined += output.text;
      offset = output.next_offset;
    }
    expect(joined).toBe(text);
    expect(asked.length).toBeGreaterThan(1);
  });

  it("gives a PDF as text with its pages, and says of one that cannot be read why", async () => {
    answer = {
      status: 200,
      type: "application/pdf",
      body: Buffer.from(await makePdf(["One", "Two"])),
    };
    expect(await run("web_fetch", { url: base })).toMatchObject({
      succeeded: true,
      output: {
        content_type: "application/pdf",
        text: "[page 1]\nOne\n\n[page 2]\nTwo",
        next_offset: null,
      },
    });
    answer = { status: 200, type: "application/pdf", body: Buffer.from("%PDF-1.7 broken") };
    expect(await run("web_fetch", { url: base })).toMatchObject({
      succeeded: false,
      output: { error: expect.stringContaining("no PDF that can be opened") },
    });
  }, 90_000);

  it("reads other charsets, gives JSON as it is, and refuses what is no text", async () => {
    answer = {
      status: 200,
      type: "text/plain; charset=iso-8859-1",
      body: Buffer.from([0x63, 0x61, 0x66, 0xe9]),
    };
    expect(await run("web_fetch", { url: base })).toMatchObject({ output: { text: "café" } });
    answer = { status: 404, type: "application/json", body: '{"a":1}' };
    expect(await run("web_fetch", { url: base })).toMatchObject({
      succeeded: false,
      output: { status: 404, text: '{"a":1}' },
    });
    answer = { status: 200, type: "image/png", body: Buffer.from([0x89, 0x50, 0, 0, 1]) };
    expect(await run("web_fetch", { url: base })).toMatchObject({
      succeeded: false,
      output: { error: expect.stringContaining("no text") },
    });
  });

  it("stops reading at 2 MiB and says so", async () => {
    answer = { status: 200, type: "text/plain", body: "x".repeat(3 * 1024 * 1024) };
    expect(await run("web_fetch", { url: base })).toMatchObject({
      succeeded: true,
      output: { note: expect.stringContaining("longer") },
    });
  });

  it("reaches no private address, neither at once nor by a redirect", async () => {
    const refused = {
      succeeded: false,
      output: { error: "The URL must lead to a public http or https address." },
    };
    expect(await run("web_fetch", { url: base }, "", false)).toEqual(refused);
    expect(await run("web_fetch", { url: `${base}/inside` })).toEqual(refused);
    expect(await run("web_fetch", { url: "file:///etc/passwd" })).toEqual(refused);
    expect(asked).toEqual(["/inside"]);
  });
});

describe("web_search", () => {
  it("is no tool where there is no provider", () => {
    expect(() => toolOf("web_search")).toThrow("no such tool");
  });

  it("is limited to hosts, to what is new and to a number of results", async () => {
    const found = (host: string) => ({ title: host, url: `https://${host}/`, content: "x" });
    const hosts = ["www.a.example", "b.example", "nota.example", "c.example", "a.example"];
    const body = JSON.stringify({ results: hosts.map(found) });
    answer = { status: 200, type: "application/json", body };
    const wanted = {
      query: "x",
      domains: ["a.example", "b.example"],
      recency: "year",
      count: 2,
    };
    expect(await run("web_search", wanted, `${base}/search`, false)).toMatchObject({
      succeeded: true,
      output: { results: [{ title: "www.a.example" }, { title: "b.example" }] },
    });
    const [path = ""] = asked;
    const query = new URL(path, base).searchParams;
    expect(query.get("q")).toBe("x (site:a.example OR site:b.example)");
    expect(query.get("time_range")).toBe("year");
    const refused = await run("web_search", { ...wanted, domains: ["a b"] }, `${base}/search`);
    expect(refused).toMatchObject({
      succeeded: false,
      output: { error: expect.stringContaining("is no host") },
    });
  });

  it("asks the provider, which may stand inside, and shows what it found as a card", async () => {
    const results = [
      { title: "A", url: "https://a.example/", content: "about a" },
      { title: "Bad", url: "javascript:alert(1)", content: "" },
      { url: "https://b.example/" },
    ];
    answer = {
      status: 200,
      type: "application/json",
      body: JSON.stringify({ query: "x y", results }),
    };
    expect(await run("web_search", { query: "x y" }, `${base}/search?lang=en`, false)).toEqual({
      succeeded: true,
      output: {
        results: [
          { title: "A", url: "https://a.example/", snippet: "about a" },
          { title: "https://b.example/", url: "https://b.example/", snippet: "" },
        ],
      },
    });
    expect(asked).toEqual(["/search?lang=en&q=x+y&format=json"]);
    expect(events).toMatchObject([
      {
        type: "card.created",
        card: { kind: "search", status: "in_progress", title: "x y", items: [] },
      },
      {
        type: "card.updated",
        card: {
          kind: "search",
          status: "done",
          items: [{ title: "A", url: "https://a.example/" }, { url: "https://b.example/" }],
        },
      },
    ]);
  });

  it("tells a provider that does not work, and ends its card", async () => {
    answer = { status: 500, type: "text/plain", body: "oops" };
    expect(await run("web_search", { query: "x" }, `${base}/search`)).toMatchObject({
      succeeded: false,
    });
    expect(events.at(-1)).toMatchObject({
      type: "card.updated",
      card: { status: "done", items: [] },
    });
  });

  const hit = { title: "A", url: "https://a.example/" };
  it.each([
    {
      name: "brave" as const,
      body: { web: { results: [{ ...hit, description: "about a" }] } },
      request: {
        method: "GET",
        path: "/s?q=x+y&count=10",
        headers: { "x-subscription-token": "k-1" },
        json: null,
      },
    },
    {
      name: "tavily" as const,
      body: { results: [{ ...hit, content: "about a", score: 0.9 }] },
      request: {
        method: "POST",
        path: "/s",
        headers: { authorization: "Bearer k-1" },
        json: { query: "x y", max_results: 10 },
      },
    },
    {
      name: "exa" as const,
      body: { results: [{ ...hit, id: "1", text: "about a" }] },
      request: {
        method: "POST",
        path: "/s",
        headers: { "x-api-key": "k-1" },
        json: { query: "x y", numResults: 10, contents: { text: { maxCharacters: 400 } } },
      },
    },
    {
      name: "serper" as const,
      body: {
        organic: [{ title: "A", link: "https://a.example/", snippet: "about a", position: 1 }],
      },
      request: {
        method: "POST",
        path: "/s",
        headers: { "x-api-key": "k-1" },
        json: { q: "x y", num: 10 },
      },
    },
  ])(
    "asks $name in its own words, with the operator's key, and reads its answer",
    async ({ name, body, request }) => {
      provider = name;
      answer = { status: 200, type: "application/json", body: JSON.stringify(body) };
      expect(await run("web_search", { query: "x y" }, `${base}/s`)).toEqual({
        succeeded: true,
        output: { results: [{ title: "A", url: "https://a.example/", snippet: "about a" }] },
      });
      expect(asked).toEqual([request.path]);
      expect([sent.method, sent.body === "" ? null : JSON.parse(sent.body)]).toEqual([
        request.method,
        request.json,
      ]);
      expect(sent.headers).toMatchObject(request.headers);
    },
  );

  it.each([
    [401, "does not take this server's key"],
    [429, "no more searches"],
  ])("says what an answer %i means, and never the key", async (status, words) => {
    provider = "brave";
    answer = { status, type: "application/json", body: '{"error":"k-1"}' };
    const outcome = await run("web_search", { query: "x" }, `${base}/s`);
    expect(outcome).toMatchObject({
      succeeded: false,
      output: { error: expect.stringContaining(words) },
    });
    expect(JSON.stringify(outcome)).not.toContain("k-1");
  });
});
