import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { answerMedia } from "../../support/model-server/media.mjs";
import { watchPrompts } from "../../support/model-server/watch-prompts.mjs";

/**
 * One call that a text has the model make. Of its texts `{{seen:PATTERN}}` becomes what the model
 * was shown that fits, `{{turned:PATTERN}}` the same backwards.
 */
export interface Instruction {
  tool: string;
  arguments: Record<string, unknown>;
}

interface Message {
  role: string;
  content: unknown;
  tool_calls?: { id: string }[];
  tool_call_id?: string;
}

interface ChatRequest {
  model: string;
  messages: Message[];
  tools?: { function: { name: string; description?: string; parameters?: unknown } }[];
}

interface Lesson {
  calls: Instruction[];
  /** Whose model obeys, by its system prompt: a text may reach several. */
  only: RegExp;
  /** All of them in one turn. */
  isAtOnce: boolean;
}

/** A call in OpenAI's words. */
interface TaughtCall {
  index: number;
  id: string;
  type: "function";
  function: { name: string; arguments: string };
}

const MARK = /OBEY:([a-z]{16})/g;
const ECHO_MAX_CHARACTERS = 12_000;
/** Pieces of a stream, so that every secret is cut somewhere. */
const PIECES = [1, 2, 3, 5, 8, 13, 21, 34, 55, 400];

/**
 * A model server on loopback, as an OpenAI-compatible one, whose model obeys whatever it reads:
 * wherever `OBEY:<key>` stands, in the system prompt, a message, a tool's result or its
 * description, it makes the calls that were taught under the key, one a turn, whether or not it has
 * the tool. Then it says all that it was shown, and the same backwards.
 */
export class ObeyingModel {
  /** Each request as it came. */
  readonly requests: string[] = [];
  /** Prompts that did not begin with the whole one before them. */
  readonly promptFaults: string[] = [];
  readonly #prompts = watchPrompts();
  readonly #lessons = new Map<string, Lesson>();
  /** What came of a call, by its id; the first answer counts. */
  readonly #told = new Map<string, string>();
  readonly #server = createServer((request, response) => void this.#answer(request, response));

  static async start(): Promise<ObeyingModel> {
    const model = new ObeyingModel();
    await new Promise<void>((resolve) => model.#server.listen(0, "127.0.0.1", resolve));
    return model;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`; // it listens on TCP
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  /** A text that this model obeys once it was taught what it means. */
  mark(): string {
    return (
      "OBEY:" +
      `${Array.from(randomBytes(16), (byte) => String.fromCharCode(97 + (byte % 26))).join("")}`
    );
  }

  teach(mark: string, calls: Instruction[], only = /(?:)/, isAtOnce = false): string {
    this.#lessons.set(mark.slice("OBEY:".length), { calls, only, isAtOnce });
    return mark;
  }

  /**
   * What the service answered to a taught call. @throws when it was never answered: the text did
   * not reach the model, or the run ended before
   */
  told(mark: string, call: number): string {
    const told = this.#told.get(callId(mark.slice("OBEY:".length), call));
    if (told === undefined) throw new Error(`Call ${call} of ${mark} was never answered.`);
    return told;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer); // a request's pieces are buffers
    const text = Buffer.concat(parts).toString("utf8");
    if (request.method !== "POST")
      return void response
        .writeHead(200, { "content-type": "application/json" })
        .end('{"data":[]}');
    this.requests.push(text);
    const media = answerMedia(`POST ${request.url}`, JSON.parse(text));
    if (media && "bytes" in media)
      return void response.writeHead(media.status, { "content-type": media.type }).end(media.bytes);
    if (media)
      return void response
        .writeHead(media.status, { "content-type": "application/json" })
        .end(JSON.stringify(media.json));
    // The service's own, and it fails here where it is another.
    const body = JSON.parse(text) as ChatRequest;
    for (const { role, content, tool_call_id: id } of body.messages)
      if (role === "tool" && id && !this.#told.has(id)) this.#told.set(id, String(content));
    const fault = this.#prompts.faultOf(body);
    if (fault !== null) this.promptFaults.push(fault);
    const next = this.#next(body) ?? { content: echoOf(body) };
    if ("content" in next) this.#prompts.answered([], body, next.content);
    else
      this.#prompts.answered(
        next.tool_calls.map(({ id }) => id),
        body,
      );
    stream(response, body.model, next);
  }

  #next(body: ChatRequest): { tool_calls: TaughtCall[] } | null {
    const shown = shownTexts(body);
    const system = String(body.messages[0]?.content);
    // A builder's dry run has ids of its own, which end in ours.
    const made = new Set(
      body.messages.flatMap(({ tool_calls: calls }) =>
        (calls ?? []).map(({ id }) => id.replace(/^try_\d+_\d+_/, "")),
      ),
    );
    const keys = new Set(
      shown.flatMap((text) => [...text.matchAll(MARK)].map(([, key = ""]) => key)),
    );
    for (const key of keys) {
      const lesson = this.#lessons.get(key);
      if (!lesson?.only.test(system)) continue;
      const next = lesson.calls.flatMap((each, at) =>
        made.has(callId(key, at)) ? [] : [{ ...each, id: callId(key, at) }],
      );
      if (next.length === 0) continue;
      const seen = shown.join("\n");
      return {
        tool_calls: (lesson.isAtOnce ? next : next.slice(0, 1)).map((each, index) => ({
          index,
          ...toToolCall(each, seen),
        })),
      };
    }
    return null;
  }
}

function toToolCall(
  { id, tool, arguments: args }: Instruction & { id: string },
  seen: string,
): Omit<TaughtCall, "index"> {
  return {
    id,
    type: "function",
    function: { name: tool, arguments: JSON.stringify(filled(args, seen)) },
  };
}

const callId = (key: string, index: number) => `${key}-${index}`;

/** Whatever the request shows: messages first, then what the tools say of themselves. */
function shownTexts({ messages, tools = [] }: ChatRequest): string[] {
  const said = messages.map(({ content }) =>
    typeof content === "string" ? content : JSON.stringify(content ?? ""),
  );
  return [...said, ...tools.map(({ function: tool }) => JSON.stringify(tool))];
}

/**
 * What tools gave, then what they say of themselves, then the rest: and the same backwards, so that
 * what a host shows backwards is said in the open.
 */
function echoOf(body: ChatRequest): string {
  const shown = shownTexts(body);
  const given = shown.filter((_, at) => body.messages[at]?.role === "tool");
  // Each once: a model that says the same again and again is stopped.
  const text = [...new Set([...given, ...shown.slice(body.messages.length), ...shown])]
    .join("\n")
    .replace(/(.)\1{99,}/gs, (same) => same.slice(0, 99))
    .slice(0, ECHO_MAX_CHARACTERS);
  return `I was shown: ${text}\nBackwards: ${[...text].reverse().join("")}`;
}

function filled<T>(value: T, shown: string): T {
  const text = JSON.stringify(value).replace(
    /\{\{(seen|turned):(.+?)\}\}/g,
    (_, how: string, pattern: string) => {
      const found = new RegExp(JSON.parse(`"${pattern}"`)).exec(shown)?.[0] ?? "nothing-seen";
      return JSON.stringify(how === "turned" ? [...found].reverse().join("") : found).slice(1, -1);
    },
  );
  return JSON.parse(text) as T; // the same, with other texts
}

function stream(
  response: ServerResponse,
  model: string,
  said: { content: string } | { tool_calls: object[] },
): void {
  const send = (delta: object, finish: string | null = null) =>
    response.write(
      "data: " +
        JSON.stringify({
          id: "obeyed",
          object: "chat.completion.chunk",
          created: 1,
          model,
          choices: [{ index: 0, delta, finish_reason: finish }],
        }) +
        "\n\n",
    );
  response.writeHead(200, { "content-type": "text/event-stream" });
  send({ role: "assistant", content: "" });
  if ("content" in said) {
    for (const piece of pieces(said.content.slice(-3_000))) send({ reasoning_content: piece });
    for (const piece of pieces(said.content)) send({ content: piece });
  } else send(said);
  send({}, "content" in said ? "stop" : "tool_calls");
  const usage = { prompt_tokens: 100, completion_tokens: 100, total_tokens: 200 };
  response.write(
    "data: " +
      JSON.stringify({
        id: "obeyed",
        object: "chat.completion.chunk",
        created: 1,
        model,
        choices: [],
        usage,
      }) +
      "\n\n",
  );
  response.end("data: [DONE]\n\n");
}

function* pieces(text: string): Generator<string> {
  const characters = [...text];
  for (let at = 0, turn = 0; at < characters.length; turn += 1) {
    const size = PIECES[turn % PIECES.length] ?? 1;
    yield characters.slice(at, at + size).join("");
    at += size;
  }
}
