import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { afterEach, describe, expect, test } from "vitest";
import type { HttpTool } from "@/lib/model/agent-config/effective-config";
import type { JsonObject } from "@/lib/model/json-schema/json-value";
import { memoryFiles } from "@/lib/offline-model/test/offline-run";
import { createRedactor } from "@/lib/platform/crypto/redact";
import { EgressFailed } from "@/lib/platform/egress/target";
import { createHttpTool } from "@/lib/runtime/tools/http-tool";
import { mayHaveArrived } from "@/lib/runtime/tools/may-have-arrived";
import { redactStream } from "@/lib/runtime/tools/redact-stream";
import { executeTool, type ToolContext } from "@/lib/runtime/tools/tool";
import type { FilesPort } from "@/lib/runtime/tools/tool-ports";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

type Answer = (request: IncomingMessage, response: ServerResponse, body: Buffer) => void;

async function serve(answer: Answer): Promise<string> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    answer(request, response, Buffer.concat(chunks));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("It listens on no port.");
  return `127.0.0.1:${address.port}`;
}

async function use(
  answer: Answer,
  {
    args = {},
    files = memoryFiles({}),
    ...config
  }: Partial<HttpTool> & { args?: JsonObject; files?: FilesPort } = {},
) {
  const host = await serve(answer);
  const tool = createHttpTool(
    {
      name: "shop",
      method: "GET",
      url: `http://${host}/x`,
      description: "",
      input_schema: { type: "object" },
      ...config,
    },
    {
      reach: { allow: [host] },
      openSecret: () => Promise.reject(new Error("none")),
      accessToken: () => Promise.reject(new Error("none")),
      revisions: {
        find: () => Promise.reject(new Error("none")),
        keep: () => Promise.reject(new Error("none")),
      },
    },
  );
  const context: ToolContext = {
    runId: "r",
    accountId: "a",
    toolCallId: "call_1",
    signal: new AbortController().signal,
    files,
    artifacts: { create: () => Promise.reject(new Error("not here")) },
    emit: () => {},
    todo: { cardId: null, items: [] },
  };
  const outcome = await executeTool(tool, args, context);
  const output = outcome.output as JsonObject; // the tool's own form
  return { ...outcome, output, files, tool };
}

const pathOf = (output: JsonObject) => String((output.file as JsonObject | undefined)?.path);
const bytesOf = (files: FilesPort, path: string) => files.readBytes(path, 100_000_000);

describe("an HTTP tool whose answer never comes", () => {
  test("may have taken effect where it writes, not where it reads or was answered", async () => {
    const silent: Answer = (request) => request.socket.destroy();
    const wrote = await use(silent, { method: "POST" });
    expect(wrote).toMatchObject({ succeeded: false, status: "unknown" });
    expect((await use(silent)).status).toBeUndefined();
    const refused = await use((_, response) => response.writeHead(500).end(), { method: "POST" });
    expect(refused).toMatchObject({ succeeded: false, output: { status: 500 } });
    expect(refused.status).toBeUndefined();
  });

  test("has not taken effect where no connection ever stood", () => {
    const cause = (code: string) => Object.assign(new Error("no"), { code });
    const arrived = (reason: "unreachable" | "timeout" | "broken", code?: string) =>
      mayHaveArrived(new EgressFailed(reason, code === undefined ? {} : { cause: cause(code) }));
    expect(arrived("unreachable", "ECONNREFUSED")).toBe(false);
    expect(arrived("unreachable")).toBe(false);
    expect(arrived("unreachable", "ECONNRESET")).toBe(true);
    expect(arrived("timeout")).toBe(true);
    expect(mayHaveArrived(new EgressFailed("invalid_request"))).toBe(false);
  });
});

describe("an answer of an HTTP tool", () => {
  test("that is a short text or JSON stands in the result", async () => {
    const json = await use((_, response) => {
      response.setHeader("content-type", "application/json");
      response.end('{"a":1}');
    });
    expect(json.output).toEqual({ status: 200, body: { a: 1 } });
    expect((await use((_, response) => response.end("plain"))).output.body).toBe("plain");
    expect((await use((_, response) => response.end())).output).toEqual({ status: 200 });
  });

  test("that is no text is stored byte for byte under a name of ours, by what it is", async () => {
    const png = Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), randomBytes(700_000)]);
    const { output, files } = await use((_, response) => {
      response.setHeader("content-type", "text/plain");
      response.setHeader("content-disposition", 'attachment; filename="../../etc/passwd"');
      response.end(png);
    });
    expect(pathOf(output)).toBe("run:downloads/shop-call_1.png");
    expect(output).toMatchObject({ content_type: "image/png", file: { size_bytes: png.length } });
    expect(Buffer.from(await bytesOf(files, pathOf(output))).equals(png)).toBe(true);
    const small = await use((_, response) => {
      response.setHeader("content-type", "application/octet-stream");
      response.end(Buffer.from([0, 1, 2]));
    });
    expect(pathOf(small.output)).toBe("run:downloads/shop-call_1.bin");
  });

  test("that is a long text is stored whole, whatever its charset", async () => {
    const text = "zwölf Boxkämpfer\n".repeat(20_000);
    const { output, files } = await use((_, response) => {
      response.setHeader("content-type", "text/csv; charset=iso-8859-1");
      response.end(Buffer.from(text, "latin1"));
    });
    expect(pathOf(output)).toBe("run:downloads/shop-call_1.csv");
    expect(Buffer.from(await bytesOf(files, pathOf(output))).toString("utf8").length).toBe(
      text.length,
    );
  });

  test("that breaks off is told as such, and of a file nothing is kept", async () => {
    const text = await use((_, response) => {
      response.write("x".repeat(1_000));
      setImmediate(() => response.destroy());
    });
    expect(text.output).toMatchObject({ note: expect.stringContaining("broke off") });
    const file = await use((_, response) => {
      response.writeHead(200, { "content-type": "application/pdf" });
      response.write(Buffer.concat([Buffer.from("%PDF-1.7"), Buffer.alloc(400_000)]), () =>
        response.destroy(),
      );
    });
    expect(await file.files.list()).toEqual([]);
    expect(JSON.stringify(file.output)).toMatch(/broke off|did not/);
  });
});

describe("what an HTTP tool sends", () => {
  const input_schema = {
    type: "object",
    properties: { doc: { type: "string", format: "binary" }, note: { type: "string" } },
  };
  const stored = () => memoryFiles({ "run:a.bin": new Uint8Array([0, 255, 13, 10]) });
  const received = async (config: Partial<HttpTool>, args: JsonObject) => {
    let got: { type: string; body: Buffer } | null = null;
    const answer: Answer = (request, response, body) => {
      got = { type: request.headers["content-type"] ?? "", body };
      response.end("ok");
    };
    const { output, tool } = await use(answer, {
      ...{ method: "POST", input_schema, files: stored(), args },
      ...config,
    });
    return { got: got as { type: string; body: Buffer } | null, output, tool }; // set by the server
  };

  test("is JSON without files, unless its config says otherwise", async () => {
    const { got, tool } = await received({}, { doc: "run:a.bin", note: "hi" });
    expect(JSON.parse(String(got?.body))).toEqual({ doc: "run:a.bin", note: "hi" });
    expect(tool.sentFiles?.({ doc: "run:a.bin" })).toEqual([]);
  });

  test("is a form with the bytes of files, and its fields", async () => {
    const { got, tool } = await received({ body: "multipart" }, { doc: "run:a.bin", note: "hi" });
    const form = await new Response(new Uint8Array(got?.body ?? []), {
      headers: { "content-type": got?.type ?? "" },
    }).formData();
    expect(form.get("note")).toBe("hi");
    const file = form.get("doc") as File; // a file, as was sent
    expect([...new Uint8Array(await file.arrayBuffer())]).toEqual([0, 255, 13, 10]);
    expect(tool.sentFiles?.({ doc: "run:a.bin", note: "run:b" })).toEqual(["run:a.bin"]);
  });

  test("is the bytes alone, or base64 in JSON", async () => {
    const raw = await received({ body: "raw" }, { doc: "run:a.bin" });
    expect([...(raw.got?.body ?? [])]).toEqual([0, 255, 13, 10]);
    const json = await received({ body: "json" }, { doc: "run:a.bin", note: "hi" });
    expect(JSON.parse(String(json.got?.body))).toEqual({ doc: "AP8NCg==", note: "hi" });
  });

  test("is nothing where the file is not there, or where two are named for one body", async () => {
    for (const args of [{ doc: "run:gone.bin" }, {}] as JsonObject[]) {
      const { got, output } = await received({ body: "raw" }, args);
      expect(got).toBe(null);
      expect(output.error).toBeTruthy();
    }
  });
});

test("a secret is taken out of what is received, text and bytes, however cut", async () => {
  const redactor = createRedactor(["sk-secret-value-123"]);
  for (const charset of ["utf-8", null]) {
    async function* pieces() {
      for (const byte of Buffer.from("\u00e4 before sk-secret-value-123 after"))
        yield Buffer.of(byte);
    }
    const out: Uint8Array[] = [];
    for await (const piece of redactStream(pieces(), redactor, charset)) out.push(piece);
    expect(Buffer.concat(out).toString("utf8")).toBe("ä before [redacted] after");
  }
});
