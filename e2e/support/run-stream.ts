import type { ApiClient, RequestOptions } from "./api-client";
import { readNdjson } from "./read-ndjson";
import { type Line, lineShape, type NumberedLine } from "./shapes";

/** A stream of run events being read: every line is checked against the contract as it arrives. */
export class RunStream {
  readonly lines: Line[] = [];
  private readonly iterator: AsyncGenerator<unknown>;

  private constructor(
    readonly response: Response,
    private readonly controller: AbortController,
  ) {
    if (!response.body) throw new Error("The answer has no body to stream.");
    this.iterator = readNdjson(response.body);
  }

  /** Opens a stream; throws unless it is answered with 200. */
  static async open(api: ApiClient, method: string, path: string, options: RequestOptions = {}): Promise<RunStream> {
    const controller = new AbortController();
    const response = await api.open(method, path, { ...options, signal: controller.signal });
    if (response.status !== 200) throw new Error(`The stream was answered with ${response.status}: ${await response.text()}`);
    return new RunStream(response, controller);
  }

  static start(api: ApiClient, body: unknown): Promise<RunStream> {
    return RunStream.open(api, "POST", "/v1/realtime/runs", { json: body });
  }

  static follow(api: ApiClient, runId: string, startingAfter?: number | string): Promise<RunStream> {
    const query: Record<string, string | number> = startingAfter === undefined ? {} : { starting_after: startingAfter };
    return RunStream.open(api, "GET", `/v1/runs/${runId}/events`, { query });
  }

  /** The next line, or null at the end. */
  async next(): Promise<Line | null> {
    const { done, value } = await this.iterator.next();
    if (done) return null;
    const parsed = lineShape.safeParse(value);
    if (!parsed.success) throw new Error(`A line does not have the promised shape: ${parsed.error.message}\n${JSON.stringify(value)}`);
    this.lines.push(parsed.data);
    return parsed.data;
  }

  /** Reads on to the first line that fits. Throws when the stream ends before. */
  async readTo(what: (line: Line) => boolean): Promise<Line> {
    for (let line = await this.next(); line; line = await this.next()) if (what(line)) return line;
    throw new Error(`The stream ended before the awaited line; it was:\n${this.lines.map((line) => line.type).join(", ")}`);
  }

  async readAll(): Promise<Line[]> {
    while (await this.next());
    return this.lines;
  }

  /** Goes away as a client that loses its connection. */
  leave(): void {
    this.controller.abort();
  }

  get numbered(): NumberedLine[] {
    return this.lines.filter((line): line is NumberedLine => line.type !== "ping" && line.type !== "error");
  }

  get runId(): string {
    const first = this.numbered[0];
    if (!first) throw new Error("No line has arrived yet.");
    return first.run_id;
  }
}
