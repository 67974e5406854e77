import { expect } from "@playwright/test";
import type { LoggedEvent, RunEvent } from "@/lib/client/schemas";
import type { ApiClient, RequestOptions } from "./api-client";
import { type DocumentSchemas, parseAs, servedSchemas } from "./api-document";

const MARKER_FIELDS = [
  "type",
  "sequence_number",
  "run_id",
  "created_at",
  "tool_call_id",
  "name",
  "status",
];

/**
 * A line of the stream, by the document. Tool markers have nothing beyond it: they must never carry
 * a tool's input or output.
 */
function parseLine(schemas: DocumentSchemas, value: unknown): RunEvent {
  const line = parseAs(schemas, "RunEvent", value);
  requireBareMarker(line);
  return line;
}

/** @throws when a tool marker carries more than its documented fields */
export function requireBareMarker(line: RunEvent): void {
  if (line.type !== "tool.started" && line.type !== "tool.completed") return;
  const more = Object.keys(line).filter((name) => !MARKER_FIELDS.includes(name));
  if (more.length > 0) throw new Error(`A tool marker carries ${more.join(", ")}.`);
}

/** A stream of run events being read: every line is checked against the contract as it arrives. */
export class RunStream {
  readonly lines: RunEvent[] = [];
  readonly #iterator: AsyncGenerator<unknown>;

  readonly #controller: AbortController;
  readonly #schemas: DocumentSchemas;

  private constructor(
    readonly response: Response,
    controller: AbortController,
    schemas: DocumentSchemas,
  ) {
    this.#controller = controller;
    this.#schemas = schemas;
    if (!response.body) throw new Error("The answer has no body to stream.");
    this.#iterator = readNdjson(response.body);
  }

  /** Opens a stream; throws unless it is answered with 200. */
  static async open(
    api: ApiClient,
    method: string,
    path: string,
    options: RequestOptions = {},
  ): Promise<RunStream> {
    const controller = new AbortController();
    const response = await api.open(method, path, { ...options, signal: controller.signal });
    if (response.status !== 200)
      throw new Error(`The stream was answered with ${response.status}: ${await response.text()}`);
    return new RunStream(response, controller, await servedSchemas(api.baseUrl));
  }

  static start(api: ApiClient, body: unknown): Promise<RunStream> {
    return RunStream.open(api, "POST", "/v1/realtime/runs", { json: body });
  }

  static follow(
    api: ApiClient,
    runId: string,
    startingAfter?: number | string,
  ): Promise<RunStream> {
    const query: Record<string, string | number> =
      startingAfter === undefined ? {} : { starting_after: startingAfter };
    return RunStream.open(api, "GET", `/v1/runs/${runId}/events`, { query });
  }

  /** The next line, or null at the end. */
  async next(): Promise<RunEvent | null> {
    const { done, value } = await this.#iterator.next();
    if (done) return null;
    const line = parseLine(this.#schemas, value);
    this.lines.push(line);
    return line;
  }

  /** Reads on to the first line that fits. Throws when the stream ends before. */
  async readTo(what: (line: RunEvent) => boolean): Promise<RunEvent> {
    for (let line = await this.next(); line; line = await this.next()) if (what(line)) return line;
    throw new Error(
      "The stream ended before the awaited line; it was:\n" +
        `${this.lines.map((line) => line.type).join(", ")}`,
    );
  }

  async readAll(): Promise<RunEvent[]> {
    while (await this.next());
    return this.lines;
  }

  /** Goes away as a client that loses its connection. */
  leave(): void {
    this.#controller.abort();
  }

  get numbered(): LoggedEvent[] {
    return this.lines.filter(
      (line): line is LoggedEvent => line.type !== "ping" && line.type !== "error",
    );
  }

  get runId(): string {
    const first = this.numbered[0];
    if (!first) throw new Error("No line has arrived yet.");
    return first.run_id;
  }
}

/**
 * Reads newline-delimited JSON as it arrives, however the bytes were cut. A last line without its
 * newline counts; an empty one does not.
 */
export async function* readNdjson(body: ReadableStream<Uint8Array>): AsyncGenerator<unknown> {
  const reader = body.getReader();
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      rest += done ? decoder.decode() : decoder.decode(value, { stream: true });
      const lines = rest.split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) if (line !== "") yield JSON.parse(line);
      if (done) break;
    }
    if (rest !== "") yield JSON.parse(rest);
  } finally {
    // The reader went away early (or all is read): let the connection go.
    await reader.cancel().catch(() => undefined);
  }
}

/**
 * Holds a finished run's lines to the contract (§3): `run.created` first, numbers from `first`
 * without a gap, one run, exactly one terminal line and that the last. Returns the terminal line.
 */
export function expectWholeLog(
  lines: RunEvent[],
  first = 0,
): Extract<RunEvent, { type: "run.completed" | "run.failed" }> {
  const numbered = lines.filter(
    (line): line is LoggedEvent => line.type !== "ping" && line.type !== "error",
  );
  expect(numbered.map((line) => line.sequence_number)).toEqual(
    numbered.map((_, index) => index + first),
  );
  expect(new Set(numbered.map((line) => line.run_id)).size).toBe(1);
  if (first === 0) expect(numbered[0]?.type).toBe("run.created");
  expect(numbered.filter((line) => line.type === "run.created")).toHaveLength(first === 0 ? 1 : 0);
  const terminal = numbered.filter(
    (line) => line.type === "run.completed" || line.type === "run.failed",
  );
  expect(terminal).toHaveLength(1);
  const last = lines.at(-1);
  if (last?.type !== "run.completed" && last?.type !== "run.failed")
    throw new Error(`The last line is ${last?.type}, not a terminal one.`);
  return last;
}

/**
 * The joined deltas of the last message that no other one replaces: what `result.text` must equal
 * (contract §3).
 */
export function lastMessageText(lines: RunEvent[]): string {
  const created = lines.filter((line) => line.type === "message.created");
  const replaced = new Set(created.map((line) => line.replaces).filter(Boolean));
  const last = created.filter((line) => !replaced.has(line.message_id)).at(-1);
  return lines
    .filter((line) => line.type === "output_text.delta")
    .filter((line) => line.message_id === last?.message_id)
    .map((line) => line.delta)
    .join("");
}
