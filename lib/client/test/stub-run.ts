import type { ServerResponse } from "node:http";
import type { LoggedEvent } from "../schemas";
import { sampleRun } from "./sample-run";
import { sendJson } from "./send-json";
import { type StubServer, startStubServer } from "./stub-server";

/** How one connection of a run's stream goes. */
export interface Cut {
  /** Whole bytes that get through; all when left out. */
  bytes?: number;
  /** `break`: the connection is reset. `end`: it is closed as if all were said. `hang`: it stays open in silence. `end` when left out. */
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

/** A service with one run, whose stream is cut as the test says: a `Cut` a connection, then none. */
export async function startStubRun(log: readonly LoggedEvent[], cuts: readonly Cut[]): Promise<StubServer> {
  let connections = 0;
  let isOver = false;
  return startStubServer((request, response) => {
    const url = new URL(request.path, "http://stub");
    if (!url.pathname.endsWith("/events") && request.method === "GET") {
      return sendJson(response, 200, sampleRun({ status: isOver ? "completed" : "running" }));
    }
    const cut = cuts[connections++] ?? {};
    if (cut.status) return sendJson(response, cut.status, { error: "SERVICE_UNAVAILABLE", message: "" }, cut.headers);
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

async function sendCut(response: ServerResponse, bytes: Buffer, { chunk = bytes.length, ends = "end" }: Cut): Promise<void> {
  response.writeHead(200, { "content-type": "application/x-ndjson" }).flushHeaders();
  for (let start = 0; start < bytes.length; start += chunk) {
    await new Promise((resolve) => response.write(bytes.subarray(start, start + chunk), resolve));
  }
  if (ends === "end") response.end();
  if (ends === "break") response.destroy();
}
