import { randomBytes } from "node:crypto";
import { until } from "./until";

interface ReceivedCall {
  at: number;
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string;
  /** The same, as the bytes that came. */
  body_base64: string;
}

export interface McpAnswers {
  tools: Record<string, unknown>[];
  result?: Record<string, unknown>;
  error?: { code: number; message: string };
}

/** An address at the suite's webhook receiver that only one test knows. */
export class WebhookInbox {
  readonly key = `h${randomBytes(9).toString("hex")}`;

  constructor(private readonly serverUrl: string) {}

  get url(): string {
    return `${this.serverUrl}/hooks/${this.key}`;
  }

  /** Sets the answers, in turn; the last one repeats. Without them every call is answered 204. */
  async answerWith(
    answers: {
      status?: number;
      headers?: Record<string, string>;
      body?: string;
      /** In its place: bytes. */
      body_base64?: string;
      delay_ms?: number;
      /** In place of the rest: what an MCP server lists, and answers to a call. */
      mcp?: McpAnswers;
    }[],
  ): Promise<void> {
    await fetch(`${this.serverUrl}/scripts`, {
      method: "POST",
      body: JSON.stringify({ key: this.key, answers }),
    });
  }

  async received(): Promise<ReceivedCall[]> {
    const response = await fetch(`${this.serverUrl}/received?key=${this.key}`);
    // The shape is ours: webhook-receiver.mjs.
    return ((await response.json()) as { calls: ReceivedCall[] }).calls;
  }

  async waitFor(count: number): Promise<ReceivedCall[]> {
    return until(`${count} webhook calls`, async () => {
      const calls = await this.received();
      return calls.length >= count && calls;
    });
  }
}
