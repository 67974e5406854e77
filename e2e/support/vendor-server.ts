import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { watchPrompts } from "./model-server/watch-prompts.mjs";
import { callsAsWords, readPrompt, type VendorName } from "./vendor-prompts";

export type { VendorName } from "./vendor-prompts";

/**
 * A stand-in for a vendor's API in its own wire format: lists models, builds or changes an agent
 * where it is given the tools for it, and answers else. Like the vendor it refuses a wrong key, and
 * what its models of today refuse.
 */
export interface VendorServer {
  /** With its path, as the vendor's `…_BASE_URL` takes it. */
  baseUrl: string;
  /** The models that were called, in order. */
  called: string[];
  /** What they were sent, in the same order. */
  sent: Record<string, unknown>[];
  /** Names that are answered as if there were no such model. */
  retired: Set<string>;
  /** What is answered next, one call after the other, in place of what it says by itself. */
  script: Reply[];
  close(): Promise<void>;
}

const USAGE = { input: 50, output: 10 };

/** The one key that is let in. */
export const VENDOR_KEY = "vendor-key";

/** `stream`: in the vendor's own format, as it was written down. */
type Reply = { text: string } | { calls: { name: string; input: object }[] } | { stream: string };

type Spoken = { text: string } | { calls: { id: string; name: string; input: object }[] };

/** @param names the models that it lists, without the vendor */
export async function startVendorServer(
  vendor: VendorName,
  names: string[],
): Promise<VendorServer> {
  const called: string[] = [];
  const sent: Record<string, unknown>[] = [];
  const retired = new Set<string>();
  const script: Reply[] = [];
  const watch = watchPrompts(readPrompt(vendor));
  let calls = 0;
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      const url = request.url ?? "";
      const { authorization, "x-api-key": key, "x-goog-api-key": googleKey } = request.headers;
      const given = { openai: authorization?.slice(7), anthropic: key, google: googleKey }[vendor];
      if (given !== VENDOR_KEY) return sendJson(response, 401, toError(vendor, 401, "wrong key"));
      if (request.method === "GET" && isListPath(url))
        return sendJson(response, 200, toList(vendor, names));
      const model =
        vendor === "google" ? (/models\/([^:]+):/.exec(url)?.[1] ?? "") : String(body.model);
      called.push(model);
      sent.push(body);
      if (!PATHS[vendor].test(url.split("?")[0] ?? ""))
        return sendJson(response, 404, toError(vendor, 404, `nothing at ${url}`));
      if (!names.includes(model) || retired.has(model))
        return sendJson(response, 404, noSuchModel(vendor, model));
      const refusal = REFUSALS[vendor](model, body);
      const fault = refusal ?? watch.faultOf(body);
      if (fault) return sendJson(response, 400, toError(vendor, 400, fault));
      response.writeHead(200, { "content-type": "text/event-stream" });
      const said = JSON.stringify(body.messages ?? body.input ?? body.contents ?? []);
      const reply = script.shift() ?? decide(toolNames(body), said);
      if ("stream" in reply) return response.end(reply.stream);
      const spoken: Spoken =
        "text" in reply
          ? reply
          : { calls: reply.calls.map((call) => ({ ...call, id: `call_${++calls}` })) };
      const ids = "calls" in spoken && vendor !== "google" ? spoken.calls.map(({ id }) => id) : [];
      watch.answered(ids, body, "text" in spoken ? spoken.text : callsAsWords(spoken.calls));
      response.end(STREAMS[vendor](model, spoken));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, // listens on TCP
    called,
    sent,
    retired,
    script,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** What a model with these tools says: drafts an agent, ends the build, or answers. */
function decide(tools: string[], said: string): Reply {
  if (!tools.includes("finish")) return { text: "North has 2700 and South has 1750." };
  const draft = {
    ...{
      name: "Table reader",
      description: "Answers questions about tables.",
      skill_content: "Answer from the files.",
    },
    ...{ config: { version: 1 }, write_autonomy: "blocked" },
  };
  // The result of a call stands in the prompt: the draft is made.
  if (/function_call_output|"tool_result"|functionResponse/.test(said))
    return { calls: [{ name: "finish", input: { outcome: "built", text: "Built." } }] };
  if (tools.includes("create_agent")) return { calls: [{ name: "create_agent", input: draft }] };
  const change = { name: "Sum reader", summary: "Renamed." };
  return { calls: [{ name: "edit_agent", input: change }] };
}

const PATHS: Record<VendorName, RegExp> = {
  openai: /^\/v1\/responses$/,
  anthropic: /^\/v1\/messages$/,
  google: /^\/v1\/models\/[^/]+:streamGenerateContent$/,
};

/** What the models of today answer with an error, by their vendors' documents. */
const REFUSALS: Record<
  VendorName,
  (model: string, body: Record<string, unknown>) => string | null
> = {
  openai(model, body) {
    if (body.temperature !== undefined) return "Unsupported parameter: 'temperature'";
    const { effort } = (body.reasoning ?? {}) as { effort?: string };
    return model === "gpt-6.1-sol" && (effort === "none" || effort === "minimal")
      ? `Unsupported value: '${effort}' for reasoning.effort`
      : null;
  },
  anthropic(model, body) {
    if (body.temperature !== undefined) return "temperature is not supported by this model";
    const { type } = (body.thinking ?? {}) as { type?: string };
    if (type === "enabled") return "thinking.budget_tokens is not supported by this model";
    const { type: choice } = (body.tool_choice ?? {}) as { type?: string };
    const alwaysThinks = /^claude-(fable|opus|sonnet)-5-\d$/.test(model);
    if (alwaysThinks && type === "disabled") return "thinking cannot be disabled";
    return (alwaysThinks || type === "adaptive") && (choice === "any" || choice === "tool")
      ? "tool_choice forces tool use, which thinking does not allow"
      : null;
  },
  google(_model, body) {
    const { thinkingConfig } = (body.generationConfig ?? {}) as {
      thinkingConfig?: { thinkingBudget?: number };
    };
    return thinkingConfig?.thinkingBudget === undefined
      ? null
      : "Thinking budget is not supported for this model. Use thinking level instead.";
  },
};

function toolNames(body: Record<string, unknown>): string[] {
  // A JSON array of objects in all three formats.
  const tools = (Array.isArray(body.tools) ? body.tools : []) as Record<string, unknown>[];
  return tools.flatMap((tool) => {
    const declared = tool.functionDeclarations ?? tool.function_declarations;
    return Array.isArray(declared) ? declared.map(({ name }) => String(name)) : [String(tool.name)];
  });
}

function isListPath(url: string): boolean {
  return url.split("?")[0]?.endsWith("/models") ?? false;
}

function toList(vendor: VendorName, names: string[]): object {
  switch (vendor) {
    case "openai":
      return {
        object: "list",
        data: names.map((id, index) => ({
          id,
          object: "model",
          created: 1_790_000_000 - index,
          shutdown_date: null,
        })),
      };
    case "anthropic":
      return {
        data: names.map((id) => ({
          id,
          type: "model",
          display_name: id,
          created_at: "2026-10-01T00:00:00Z",
        })),
        has_more: false,
      };
    case "google":
      return {
        models: names.map((name) => ({
          name: `models/${name}`,
          displayName: name,
          supportedGenerationMethods: ["generateContent"],
        })),
      };
  }
}

function toError(vendor: VendorName, status: number, message: string): object {
  switch (vendor) {
    case "openai":
      return { error: { message, type: "invalid_request_error", code: null } };
    case "anthropic":
      return { type: "error", error: { type: "invalid_request_error", message } };
    case "google":
      return { error: { code: status, message, status: "INVALID_ARGUMENT" } };
  }
}

function noSuchModel(vendor: VendorName, model: string): object {
  switch (vendor) {
    case "openai":
      return {
        error: {
          message: `The model '${model}' does not exist`,
          type: "invalid_request_error",
          code: "model_not_found",
        },
      };
    case "anthropic":
      return { type: "error", error: { type: "not_found_error", message: `model: ${model}` } };
    case "google":
      return { error: { code: 404, message: `models/${model} is not found`, status: "NOT_FOUND" } };
  }
}

const event = (data: { type?: string }) =>
  `${data.type === undefined ? "" : `event: ${data.type}\n`}data: ${JSON.stringify(data)}\n\n`;

const STREAMS: Record<VendorName, (model: string, reply: Spoken) => string> = {
  openai(model, reply) {
    const base = { id: "resp_1", object: "response", created_at: 1_790_000_000, model };
    const items =
      "text" in reply
        ? [
            {
              type: "response.output_item.added",
              output_index: 0,
              item: { type: "message", id: "msg_1", role: "assistant", content: [] },
            },
            {
              type: "response.output_text.delta",
              item_id: "msg_1",
              output_index: 0,
              content_index: 0,
              delta: reply.text,
            },
            {
              ...{ type: "response.output_item.done", output_index: 0 },
              item: {
                type: "message",
                id: "msg_1",
                role: "assistant",
                content: [{ type: "output_text", text: reply.text, annotations: [] }],
              },
            },
          ]
        : reply.calls.flatMap(({ id, name, input }, index) => {
            const item = {
              type: "function_call",
              id: `fc_${id}`,
              call_id: id,
              name,
            };
            const text = JSON.stringify(input);
            return [
              {
                type: "response.output_item.added",
                output_index: index,
                item: { ...item, arguments: "", status: "in_progress" },
              },
              {
                type: "response.function_call_arguments.delta",
                item_id: item.id,
                output_index: index,
                delta: text,
              },
              {
                type: "response.function_call_arguments.done",
                item_id: item.id,
                output_index: index,
                arguments: text,
              },
              {
                type: "response.output_item.done",
                output_index: index,
                item: { ...item, arguments: text, status: "completed" },
              },
            ];
          });
    const usage = {
      ...{
        input_tokens: USAGE.input,
        output_tokens: USAGE.output,
        total_tokens: USAGE.input + USAGE.output,
      },
      ...{
        input_tokens_details: { cached_tokens: 0 },
        output_tokens_details: { reasoning_tokens: 0 },
      },
    };
    return [
      {
        type: "response.created",
        response: { ...base, status: "in_progress", output: [], usage: null },
      },
      ...items,
      { type: "response.completed", response: { ...base, status: "completed", output: [], usage } },
    ]
      .map(event)
      .join("");
  },
  anthropic(model, reply) {
    const blocks =
      "text" in reply
        ? [
            { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
            {
              type: "content_block_delta",
              index: 0,
              delta: { type: "text_delta", text: reply.text },
            },
            { type: "content_block_stop", index: 0 },
          ]
        : reply.calls.flatMap(({ id, name, input }, index) => [
            {
              type: "content_block_start",
              index,
              content_block: { type: "tool_use", id, name, input: {} },
            },
            {
              type: "content_block_delta",
              index,
              delta: { type: "input_json_delta", partial_json: JSON.stringify(input) },
            },
            { type: "content_block_stop", index },
          ]);
    const message = {
      id: "msg_1",
      type: "message",
      role: "assistant",
      model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
    };
    return [
      {
        type: "message_start",
        message: { ...message, usage: { input_tokens: USAGE.input, output_tokens: 1 } },
      },
      ...blocks,
      {
        ...{ type: "message_delta", usage: { output_tokens: USAGE.output } },
        delta: { stop_reason: "text" in reply ? "end_turn" : "tool_use", stop_sequence: null },
      },
      { type: "message_stop" },
    ]
      .map(event)
      .join("");
  },
  google(model, reply) {
    const parts =
      "text" in reply
        ? [{ text: reply.text }]
        : reply.calls.map(({ name, input }) => ({ functionCall: { name, args: input } }));
    const counts = {
      promptTokenCount: USAGE.input,
      candidatesTokenCount: USAGE.output,
      totalTokenCount: USAGE.input + USAGE.output,
    };
    const candidate = { content: { role: "model", parts }, index: 0, finishReason: "STOP" };
    return (
      "data: " +
      JSON.stringify({
        candidates: [candidate],
        usageMetadata: counts,
        modelVersion: model,
        responseId: "g1",
      }) +
      "\n\n"
    );
  },
};

async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer); // no encoding is set
  const text = Buffer.concat(chunks).toString();
  return text === "" ? {} : JSON.parse(text);
}

function sendJson(response: ServerResponse, status: number, value: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
}
