import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { watchPrompts } from "../../support/model-server/watch-prompts.mjs";

/** What a run's model does; the run's text carries `[[run:KEY]]`. */
export interface ModelPlan {
  /** Calls of this tool before the answer, one a turn. */
  toolTurns?: number;
  toolName?: string;
  /** Its run and turn by default. */
  toolArgs?: Record<string, unknown>;
  /** Pieces of the answer. */
  pieces?: number;
  pieceMs?: number;
  /** Waits for `release` before its answer, or after so many pieces of it. */
  holdAfter?: number;
  /** Reported as used by each call. */
  usage?: { input: number; output: number };
}

export interface ModelCall {
  key: string;
  turn: number;
  at: number;
  /** All of it was sent. */
  isDone: boolean;
  /** What it said, or goes on to say; no two calls say the same. */
  text: string;
  messages: { role: string; content: unknown }[];
}

/**
 * A model server on loopback: OpenAI's protocol, in this process, so that a test sees each call.
 * Which turn a call asks for is read from its messages, so that a call that is made again after a
 * crash gets its own turn again, in other words.
 */
export class FaultModel {
  readonly calls: ModelCall[] = [];
  /** Prompts that did not begin with the whole one before them, with their runs. */
  readonly promptFaults: string[] = [];
  readonly #prompts = watchPrompts();
  readonly #plans = new Map<string, ModelPlan>();
  readonly #released = new Set<string>();
  readonly #held = new Map<string, Set<() => void>>();

  private constructor(
    readonly server: Server,
    readonly port: number,
  ) {
    server.on(
      "request",
      (request, response) => void this.#answer(request, response).catch(() => response.destroy()),
    );
  }

  static async start(): Promise<FaultModel> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    if (address === null || typeof address === "string")
      throw new Error("The model server listens on no port.");
    return new FaultModel(server, address.port);
  }

  plan(key: string, plan: ModelPlan): void {
    this.#plans.set(key, plan);
  }

  /** Lets what is held for `key` go on, now and later. */
  release(...keys: string[]): void {
    for (const key of keys) {
      this.#released.add(key);
      for (const go of this.#held.get(key) ?? []) go();
      this.#held.delete(key);
    }
  }

  callsOf(key: string, turn?: number): ModelCall[] {
    return this.calls.filter(
      (call) => call.key === key && (turn === undefined || call.turn === turn),
    );
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = JSON.parse(await readAll(request)) as {
      model: string;
      messages: ModelCall["messages"];
      stream?: boolean;
    };
    const key = keyOf(body.messages);
    const plan = this.#plans.get(key) ?? {};
    const turn = body.messages
      .slice(askedAt(body.messages))
      .filter((message) => message.role === "assistant").length;
    const call: ModelCall = {
      key,
      turn,
      at: Date.now(),
      isDone: false,
      text: "",
      messages: body.messages,
    };
    this.calls.push(call);
    const fault = this.#prompts.faultOf(body);
    if (fault) this.promptFaults.push(`${key}: ${fault}`);
    const base = {
      id: `chatcmpl-${this.calls.length}`,
      object: "chat.completion.chunk",
      created: 1,
      model: body.model,
    };
    const send = (delta: object, finish: string | null = null) =>
      response.write(
        "data: " +
          `${JSON.stringify({ ...base, choices: [{ index: 0, delta, finish_reason: finish }] })}` +
          "\n\n",
      );
    const isTool = turn < (plan.toolTurns ?? 0);
    const pieces = isTool ? [] : wordsOf(key, this.calls.length, plan.pieces ?? 8);
    call.text = pieces.join("");
    if (!isTool) this.#prompts.answered([], body, call.text);
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.flushHeaders();
    send({ role: "assistant", content: "" });
    for (const [index, piece] of pieces.entries()) {
      if (plan.holdAfter === index) await this.#hold(key, response);
      if (response.destroyed) return;
      send({ content: piece });
      if (plan.pieceMs) await pause(plan.pieceMs);
    }
    if (isTool) {
      const args = JSON.stringify(plan.toolArgs ?? { key, turn });
      const id = `call_${key}_${turn}_${this.calls.length}`;
      this.#prompts.answered([id], body);
      send({
        tool_calls: [
          {
            index: 0,
            id,
            type: "function",
            function: { name: plan.toolName ?? "record", arguments: args },
          },
        ],
      });
    }
    if (plan.holdAfter !== undefined && !isTool && plan.holdAfter >= pieces.length)
      await this.#hold(key, response);
    if (response.destroyed) return;
    send({}, isTool ? "tool_calls" : "stop");
    const { input, output } = plan.usage ?? { input: 100, output: 20 };
    const usage = { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
    response.write(`data: ${JSON.stringify({ ...base, choices: [], usage })}\n\n`);
    response.end("data: [DONE]\n\n");
    call.isDone = true;
  }

  #hold(key: string, response: ServerResponse): Promise<void> {
    if (this.#released.has(key) || response.destroyed) return Promise.resolve();
    return new Promise((resolve) => {
      const waiting = this.#held.get(key) ?? new Set();
      this.#held.set(key, waiting.add(resolve));
      response.on("close", resolve);
    });
  }
}

const MARK = /\[\[run:([a-z0-9-]+)\]\]/;

/** The answer of one call, which names its run and no other call gives. */
function wordsOf(key: string, call: number, count: number): string[] {
  return [
    `${key} answers at call ${call}:`,
    ...Array.from({ length: Math.max(1, count - 1) }, (_, index) => ` word${index}`),
  ];
}

/** Where the run's own request stands; behind it may be what it was told since. */
function askedAt(messages: ModelCall["messages"]): number {
  return messages.findLastIndex(
    (message) => message.role === "user" && MARK.test(JSON.stringify(message)),
  );
}

function keyOf(messages: ModelCall["messages"]): string {
  const said = JSON.stringify(messages.filter((message) => message.role === "user"));
  return [...said.matchAll(new RegExp(MARK, "g"))].at(-1)?.[1] ?? "unknown";
}

async function readAll(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  // A request without an encoding gives bytes.
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString("utf8");
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
