import { createServer } from "node:http";
import { reportPort } from "./processes.mjs";

/**
 * @typedef {{
 *   model: string,
 *   messages: { role: string }[],
 *   tools?: { function: { name: string } }[],
 * }} ChatRequest
 */

/**
 * A model server of OpenAI's protocol, a process of its own: the name of the model says what it
 * answers. `n100-i10` streams 100 tokens 10 ms apart, `-f2000` holds the first back for 2 s, and
 * `-tool` calls a tool once before it answers. `GET /count` gives how many answers it has finished.
 */
const TOKEN = "tok ";
let finished = 0;

const server = createServer((request, response) => {
  if (request.url === "/count") return response.end(String(finished));
  // As servers do that tell nothing of their models.
  if (request.method !== "POST" || !request.url?.endsWith("/chat/completions"))
    return response.writeHead(404).end();
  /** @type {Buffer[]} */
  const parts = [];
  request.on("data", (part) => parts.push(part));
  request.on("end", () => answer(JSON.parse(Buffer.concat(parts).toString()), response));
});
server.keepAliveTimeout = 65_000;
server.listen(0, "127.0.0.1", 4096, () => reportPort(server));
process.on("disconnect", () => process.exit(0));

/**
 * @param {ChatRequest} body
 * @param {import("node:http").ServerResponse} response
 */
function answer(body, response) {
  const [, count = 0, interval = 0, first = 0] =
    /n(\d+)-i(\d+)(?:-f(\d+))?/.exec(body.model)?.map((text) => Number(text ?? 0)) ?? [];
  const callsTool =
    body.model.endsWith("-tool") && !body.messages.some(({ role }) => role === "tool");
  const head = {
    id: "chatcmpl-bench",
    object: "chat.completion.chunk",
    created: 1_700_000_000,
    model: body.model,
  };
  /**
   * @param {Record<string, unknown>} delta
   * @param {string | null} [finish_reason]
   */
  const event = (delta, finish_reason = null) =>
    "data: " +
    JSON.stringify({ ...head, choices: [{ index: 0, delta, logprobs: null, finish_reason }] }) +
    "\n\n";
  const usage = { prompt_tokens: 10, completion_tokens: count, total_tokens: 10 + count };
  /** @param {string} reason */
  const last = (reason) => {
    finished++;
    response.end(
      `${event({}, reason)}data: ${JSON.stringify({ ...head, choices: [], usage })}\n\n` +
        "data: [DONE]\n\n",
    );
  };
  response.writeHead(200, {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-cache",
  });
  const token = event({ content: TOKEN });
  const begin = () => {
    response.write(event({ role: "assistant", content: "" }));
    if (callsTool) {
      response.write(event({ tool_calls: [toolCall(body)] }));
      return last("tool_calls");
    }
    if (interval === 0) {
      for (let sent = 0; sent < count; sent++) response.write(token);
      return last("stop");
    }
    let sent = 0;
    const timer = setInterval(() => {
      response.write(token);
      if (++sent < count) return;
      clearInterval(timer);
      last("stop");
    }, interval);
    response.on("close", () => clearInterval(timer));
  };
  if (first > 0) response.on("close", clearTimeout.bind(null, setTimeout(begin, first)));
  else begin();
}

/**
 * A call of the cheapest tool that is offered.
 * @param {ChatRequest} body
 */
function toolCall(body) {
  const names = (body.tools ?? []).map((tool) => tool.function.name);
  const name = names.find((offered) => offered === "todo") ?? names[0];
  const args = name === "todo" ? { items: [{ text: "measure", done: false }] } : {};
  return {
    index: 0,
    id: `call_${Date.now()}${finished}`,
    type: "function",
    function: { name, arguments: JSON.stringify(args) },
  };
}
