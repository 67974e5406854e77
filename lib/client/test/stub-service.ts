import { createServer, type ServerResponse } from "node:http";
import { onTestFinished } from "vitest";
import { type Field, toSnakeCase } from "@/lib/model/fields/field-table";
import { RUN_FIELDS } from "@/lib/model/run/run-fields";
import type { LoggedEvent, Run } from "../schemas";

export interface StubRequest {
  method: string;
  /** Path and query. */
  path: string;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

interface StubServer {
  url: string;
  requests: StubRequest[];
}

/** A server on loopback that answers as the test says; it ends with the test. */
export async function startStubServer(
  answer: (request: StubRequest, response: ServerResponse) => void,
): Promise<StubServer> {
  const requests: StubRequest[] = [];
  const server = createServer(async (incoming, response) => {
    const parts: Buffer[] = [];
    for await (const part of incoming) parts.push(part as Buffer); // no encoding was set
    const request = {
      method: incoming.method ?? "",
      path: incoming.url ?? "",
      headers: incoming.headers,
      body: Buffer.concat(parts).toString(),
    };
    requests.push(request);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === "string")
    throw new Error("The stub listens on no port.");
  return { url: `http://127.0.0.1:${address.port}`, requests };
}

/** Answers with JSON. */
export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response
    .writeHead(status, { "content-type": "application/json", "x-request-id": "req_1", ...headers })
    .end(JSON.stringify(body));
}

export const RUN_ID = "01939d3b-7c1a-7b60-9f5e-3f7a2c1d4e5f";

/** All that the service shows of a run, as its document's example has it. */
const EXAMPLE = Object.fromEntries(
  Object.entries<Field>(RUN_FIELDS).flatMap(([key, { shown, wire, example }]) =>
    shown ? [[wire ?? toSnakeCase(key), example]] : [],
  ),
) as Run;

/** A run as the service answers it. */
export function sampleRun(fields: Partial<Run> = {}): Run {
  return {
    ...EXAMPLE,
    run_id: RUN_ID,
    status: "running",
    agent_id: null,
    conversation_id: null,
    model: "builtin/offline",
    metadata: {},
    created_at: "2026-01-01T00:00:00.000Z",
    ...fields,
  };
}

/** A finished run's events: `run.created`, one delta a text, and the terminal one. */
export function sampleLog(texts: readonly string[]): LoggedEvent[] {
  const line = (sequence_number: number) => ({
    sequence_number,
    run_id: RUN_ID,
    created_at: "2026-01-01T00:00:00.000Z",
  });
  const result = { text: texts.join(""), artifacts: [] };
  return [
    {
      type: "run.created",
      ...line(0),
      render_protocol: 1,
      status: "pending",
      agent_id: null,
      conversation_id: null,
    },
    ...texts.map((delta, index) => ({
      type: "output_text.delta" as const,
      ...line(index + 1),
      message_id: "m",
      delta,
    })),
    {
      type: "run.completed",
      ...line(texts.length + 1),
      status: "completed",
      result,
      usage: { credits: 0, breakdown: [] },
      agent_id: null,
    },
  ];
}

/** How one connection of a run's stream goes. */
export interface Cut {
  /** Whole bytes that get through; all when left out. */
  bytes?: number;
  /**
   * `break`: the connection is reset. `end`: it is closed as if all were said. `hang`: it stays
   * open in silence. `end` when left out.
   */
  ends?: "break" | "end" | "hang";
  /** Bytes of a write; all at once when left out. */
  chunk?: number;
  /** Sends this in place of the log's lines. */
  text?: string;
  /** Answers with an error instead. */
  status?: number;
  headers?: Record<string, string>;
}

const PING = '{"type":"ping","run_id":"r","created_at":"2026-01-01T00:00:00.000Z"}\n';

/**
 * A service with one run, whose stream is cut as the test says: a `Cut` a connection, then none.
 */
export async function startStubRun(
  log: readonly LoggedEvent[],
  cuts: readonly Cut[],
): Promise<StubServer> {
  let connections = 0;
  let isOver = false;
  return startStubServer((request, response) => {
    const url = new URL(request.path, "http://stub");
    if (!url.pathname.endsWith("/events") && request.method === "GET") {
      return sendJson(response, 200, sampleRun({ status: isOver ? "completed" : "running" }));
    }
    const cut = cuts[connections++] ?? {};
    if (cut.status)
      return sendJson(
        response,
        cut.status,
        { error: "SERVICE_UNAVAILABLE", message: "" },
        cut.headers,
      );
    const after = Number(url.searchParams.get("starting_after") ?? -1);
    const bytes = Buffer.from(
      cut.text ??
        log
          .filter((event) => event.sequence_number > after)
          .map(toLines)
          .join(""),
    );
    isOver ||= bytes.length === 0 || cut.bytes === undefined || cut.bytes >= bytes.length;
    void sendCut(response, bytes.subarray(0, cut.bytes), cut);
  });
}

/** A ping before every third line. */
function toLines(event: LoggedEvent): string {
  return `${event.sequence_number % 3 === 2 ? PING : ""}${JSON.stringify(event)}\n`;
}

async function sendCut(
  response: ServerResponse,
  bytes: Buffer,
  { chunk = bytes.length, ends = "end" }: Cut,
): Promise<void> {
  response.writeHead(200, { "content-type": "application/x-ndjson" }).flushHeaders();
  for (let start = 0; start < bytes.length; start += chunk) {
    await new Promise((resolve) => response.write(bytes.subarray(start, start + chunk), resolve));
  }
  if (ends === "end") response.end();
  if (ends === "break") response.destroy();
}
