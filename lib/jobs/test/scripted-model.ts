import "server-only";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { watchPrompts } from "@/e2e/support/model-server/watch-prompts.mjs";

/** One answer of the scripted model. */
export interface ScriptedTurn {
  text?: string;
  calls?: { id: string; name: string; args: unknown }[];
}

/** What the model was shown in one call. */
export interface SeenCall {
  messages: { role: string; content: unknown; tool_call_id?: string }[];
  tools?: { function: { name: string } }[];
}

export interface ScriptedModel {
  baseUrl: string;
  /** What it answers from now on, in turn. */
  play(turns: ScriptedTurn[]): void;
  seen: SeenCall[];
  close(): Promise<void>;
}

/** A model server on loopback that speaks OpenAI's protocol and says what a test tells it to. */
export async function startScriptedModel(): Promise<ScriptedModel> {
  const seen: SeenCall[] = [];
  let turns: ScriptedTurn[] = [];
  const watch = watchPrompts();
  const server = createServer(async (request, response) => {
    // A chat completion's request, sent by our own client.
    const shown = JSON.parse(await textOf(request)) as SeenCall;
    seen.push(shown);
    const fault = watch.faultOf(shown);
    if (fault !== null)
      return response
        .writeHead(400, { "content-type": "application/json" })
        .end(JSON.stringify({ error: { message: fault } }));
    const turn = turns.shift() ?? { text: "done" };
    watch.answered(
      (turn.calls ?? []).map(({ id }) => id),
      shown,
      turn.text,
    );
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const chunk of toChunks(turn)) response.write(`data: ${JSON.stringify(chunk)}\n\n`);
    response.end("data: [DONE]\n\n");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // listens on TCP
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    play: (next) => {
      turns = [...next];
    },
    seen,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** The whole body of a request. */
export async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  // A request without an encoding yields buffers.
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}

function toChunks({ text, calls = [] }: ScriptedTurn): object[] {
  const chunk = (delta: object, finish: string | null = null) => ({
    id: "c",
    model: "scripted",
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  const deltas = calls.map(({ id, name, args }, index) =>
    chunk({
      tool_calls: [
        { index, id, type: "function", function: { name, arguments: JSON.stringify(args) } },
      ],
    }),
  );
  const usage = {
    id: "c",
    model: "scripted",
    choices: [],
    usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
  };
  return [
    ...(text ? [chunk({ role: "assistant", content: text })] : []),
    ...deltas,
    chunk({}, calls.length > 0 ? "tool_calls" : "stop"),
    usage,
  ];
}
