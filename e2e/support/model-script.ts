import { randomBytes } from "node:crypto";
import { until } from "./until";

/** One scripted answer of the fake model server; see the head of model-server.mjs. */
export interface ScriptTurn {
  text?: string;
  reasoning?: string;
  tool_calls?: {
    name: string;
    args?: Record<string, unknown>;
    raw_args?: string;
    fill?: boolean;
    id?: string;
  }[];
  status?: number;
  error_message?: string;
  retry_after?: number | string;
  delay_ms?: number;
  first_delay_ms?: number;
  chunk_delay_ms?: number;
  chunk_size?: number;
  hold_first?: boolean;
  hold_after?: number;
  cut_after?: number;
  malformed?: boolean;
  usage?: { input?: number; output?: number; cached?: number } | null;
  finish_reason?: string;
}

interface ModelMessage {
  role: string;
  content: unknown;
  tool_calls?: { id: string; function: { name: string; arguments: string } }[];
  tool_call_id?: string;
}

interface ModelCall {
  key: string | null;
  at: number;
  authorization: string | null;
  body: {
    model: string;
    messages: ModelMessage[];
    stream?: boolean;
    tools?: {
      function: { name: string; description?: string; parameters?: Record<string, unknown> };
    }[];
    tool_choice?: unknown;
    max_tokens?: number;
    temperature?: number;
  };
  /** Pieces of the answer that were sent so far. */
  sent: number;
  finished_at: number | null;
  disconnected_at: number | null;
}

/**
 * A script registered at the fake model server under a key of its own, so that tests running side
 * by side never meet.
 */
export class ModelScript {
  readonly #serverUrl: string;

  private constructor(
    serverUrl: string,
    readonly key: string,
  ) {
    this.#serverUrl = serverUrl;
  }

  static async register(serverUrl: string, turns: ScriptTurn[]): Promise<ModelScript> {
    const script = new ModelScript(serverUrl, `k${randomBytes(9).toString("hex")}`);
    await script.replace(turns);
    return script;
  }

  /** What must stand in the prompt's text for this script to answer. */
  get mark(): string {
    return `[[script:${this.key}]]`;
  }

  /** Starts over with other turns. */
  async replace(turns: ScriptTurn[]): Promise<void> {
    await this.#post("/scripts", { key: this.key, turns });
  }

  /** Lets every held answer go on, now and later. */
  async release(): Promise<void> {
    await this.#post(`/release?key=${this.key}`, {});
  }

  async calls(): Promise<ModelCall[]> {
    const response = await fetch(`${this.#serverUrl}/calls?key=${this.key}`);
    // The shape is ours: model-server.mjs.
    const { calls } = (await response.json()) as { calls: ModelCall[] };
    return calls;
  }

  /** The calls, as soon as there are `count` of them. */
  async waitForCalls(count: number): Promise<ModelCall[]> {
    return until(`${count} model calls`, async () => {
      const calls = await this.calls();
      return calls.length >= count && calls;
    });
  }

  /** The first call, once whoever made it has gone away. */
  async waitForDisconnect(): Promise<ModelCall> {
    return until("the model call to be aborted", async () => {
      const [call] = await this.calls();
      return call?.disconnected_at !== null && call;
    });
  }

  async #post(path: string, body: unknown): Promise<void> {
    const response = await fetch(`${this.#serverUrl}${path}`, {
      method: "POST",
      body: JSON.stringify(body),
    });
    if (!response.ok)
      throw new Error(
        `The model server answered ${response.status} to ${path}: ${await response.text()}`,
      );
  }
}

/** All that a model call was told, as one text: system, people, answers, tool results. */
export function textOfMessages(call: ModelCall | undefined): string {
  if (!call) throw new Error("There was no such model call.");
  return call.body.messages
    .map((message) =>
      typeof message.content === "string" ? message.content : JSON.stringify(message.content),
    )
    .join("\n");
}

/** What the service told the model about its last tool call. */
export function toolResultOf(call: ModelCall | undefined): string {
  const last = call?.body.messages.filter((message) => message.role === "tool").at(-1);
  if (!last) throw new Error("The model was told no tool result.");
  return typeof last.content === "string" ? last.content : JSON.stringify(last.content);
}
