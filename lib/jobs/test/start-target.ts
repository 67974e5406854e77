import "server-only";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { textOf } from "@/lib/jobs/test/scripted-model";

export interface ReceivedRequest {
  method: string;
  url: string;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

export interface TargetAnswer {
  status: number;
  headers?: Record<string, string>;
  body: string;
}

/** What connectors call in a test: notes each request and answers as it is told. */
export interface Target {
  /** `host:port`. */
  host: string;
  received: ReceivedRequest[];
  answer: TargetAnswer | ((request: ReceivedRequest) => TargetAnswer | Promise<TargetAnswer>);
  close(): Promise<void>;
}

export async function startTarget(): Promise<Target> {
  const server = createServer(async (request, response) => {
    const { method = "", url = "", headers } = request;
    const received = { method, url, headers, body: await textOf(request) };
    target.received.push(received);
    const answer =
      typeof target.answer === "function" ? await target.answer(received) : target.answer;
    response
      .writeHead(answer.status, { "content-type": "application/json", ...answer.headers })
      .end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const target: Target = {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`, // listens on TCP
    received: [],
    answer: { status: 200, body: "{}" },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return target;
}

/** What an MCP server with these tools answers. */
export function mcpAnswer(body: string, tools: object[]): TargetAnswer {
  // Our own client's JSON-RPC.
  const { id, method = "" } = JSON.parse(body || "{}") as { id?: number; method?: string };
  if (id === undefined) return { status: 202, body: "" };
  const initialized = {
    protocolVersion: "2025-06-18",
    capabilities: { tools: {} },
    serverInfo: { name: "test", version: "1" },
  };
  const result = method === "initialize" ? initialized : { tools };
  return { status: 200, body: JSON.stringify({ jsonrpc: "2.0", id, result }) };
}
