// A fake model server: the OpenAI wire protocol with scripted answers, for tests only. One process
// serves a whole suite.
//
//   node e2e/support/model-server.mjs    MODEL_SERVER_PORT (0 = any); when it listens, it prints
//                                        {"port": N}
//
// A test registers a script and puts `[[script:KEY]]` into the text that reaches the model. The
// newest key in the conversation wins: the last user message first, then earlier ones, then the
// system prompt. Each request takes the script's next turn; the last turn repeats for ever. A
// request without a known key gets a short answer, or, when it must call a tool, a call that fits
// the tool's schema.
//
//   POST /scripts {key, turns: [Turn]}   register (or replace) a script
//   POST /release?key=KEY                let every held answer of the key go on, now and later
//   GET  /calls?key=KEY                  the requests received, oldest first
//   GET  /healthz
//
// Images, speech and video: model-server/media.mjs.
//
// Turn: text, reasoning, tool_calls [{name, args, raw_args, fill, id}], status, error_message,
// retry_after, delay_ms, first_delay_ms, chunk_delay_ms, chunk_size, hold_first, hold_after
// (chunks), cut_after (chunks), malformed, usage {input, output, cached} or null, finish_reason. A
// tool call's name may be "$only": the tool that the request forces, or the only one it offers.
import { createServer } from "node:http";
import { chunkText } from "./model-server/chunk-text.mjs";
import { answerMedia, askedFor } from "./model-server/media.mjs";
import { sampleArguments } from "./model-server/sample-arguments.mjs";
import { scriptKeyOf } from "./model-server/script-key.mjs";
import { watchPrompts } from "./model-server/watch-prompts.mjs";

const BODY_MAX_BYTES = 64 * 1024 * 1024;
const CALLS_KEPT = 20_000;
// A reader drops what it has not read when the connection breaks; this long it has for the pieces
// before a cut.
const BEFORE_CUT_MS = 80;

const scripts = new Map();
const calls = [];
const watch = watchPrompts();

const server = createServer((request, response) => {
  route(request, response).catch((error) => {
    if (!response.headersSent) sendJson(response, 500, { error: { message: String(error) } });
    else response.destroy();
  });
});
// A test that compiles does nothing else for seconds, and would then send on a connection that was
// closed meanwhile.
server.keepAliveTimeout = 120_000;
server.listen(Number(process.env.MODEL_SERVER_PORT ?? 0), "127.0.0.1", () => {
  console.log(JSON.stringify({ port: server.address().port }));
});
// The suite's process holds our standard input open: when it dies, however it dies, so do we.
if (process.env.MODEL_SERVER_UNTIL_STDIN_ENDS)
  process.stdin.resume().on("end", () => process.exit(0));

async function route(request, response) {
  const url = new URL(request.url, "http://model");
  const key = url.searchParams.get("key");
  const name = `${request.method} ${url.pathname}`;
  if (name === "GET /healthz") return sendJson(response, 200, { status: "ok" });
  if (name === "GET /v1/models")
    return sendJson(response, 200, {
      object: "list",
      data: [{ id: "test-model", object: "model", owned_by: "tests" }],
    });
  if (name === "GET /calls")
    return sendJson(response, 200, {
      calls: calls.filter((call) => key === null || call.key === key),
    });
  if (name === "POST /release") return sendJson(response, release(key) ? 200 : 404, {});
  if (name === "POST /scripts")
    return registerScript(response, JSON.parse(await readBody(request)));
  if (name === "POST /v1/chat/completions")
    return complete(request, response, JSON.parse(await readBody(request)));
  return makeMedia(request, response, name);
}

async function makeMedia(request, response, name) {
  const text = await readBody(request);
  const body = text === "" ? {} : JSON.parse(text);
  const answer = answerMedia(name, body);
  if (!answer) return sendJson(response, 404, { error: { message: `no such route: ${name}` } });
  if (request.method === "POST")
    recordCall(request, response, scriptKeyOf(askedFor(body)), { ...body, route: name });
  if ("json" in answer) return sendJson(response, answer.status, answer.json);
  return response.writeHead(answer.status, { "content-type": answer.type }).end(answer.bytes);
}

function registerScript(response, { key, turns }) {
  if (typeof key !== "string" || !Array.isArray(turns) || turns.length === 0) {
    return sendJson(response, 400, {
      error: { message: "a script has a key and at least one turn" },
    });
  }
  scripts.set(key, { turns, used: 0, released: false, waiting: [] });
  return sendJson(response, 201, { key });
}

function release(key) {
  const script = scripts.get(key);
  if (!script) return false;
  script.released = true;
  for (const go of script.waiting.splice(0)) go();
  return true;
}

async function complete(request, response, body) {
  const key = scriptKeyOf(body.messages ?? []);
  const script = scripts.get(key) ?? null;
  const turn = script
    ? script.turns[Math.min(script.used++, script.turns.length - 1)]
    : unscriptedTurn(body);
  const call = recordCall(request, response, key, body);
  const fault = watch.faultOf(body);
  if (fault !== null) return fail(response, { status: 400, error_message: fault });
  await pause(turn.delay_ms);
  if (turn.status && turn.status >= 400) return fail(response, turn);
  if (turn.hold_first) await held(script, response);
  const answer = toAnswer(turn, body);
  watch.answered(
    answer.toolCalls.map(({ id }) => id),
    body,
    answer.text,
  );
  if (response.destroyed) return undefined;
  if (body.stream) await streamAnswer(response, turn, answer, body, script, call);
  else await sendWhole(response, turn, answer, body, script);
  call.finished_at = response.writableEnded ? Date.now() : null;
  return undefined;
}

function recordCall(request, response, key, body) {
  const call = {
    key,
    at: Date.now(),
    authorization: request.headers.authorization ?? null,
    body,
    sent: 0,
    finished_at: null,
    disconnected_at: null,
  };
  calls.push(call);
  if (calls.length > CALLS_KEPT) calls.shift();
  response.on("close", () => {
    if (!response.writableEnded) call.disconnected_at = Date.now();
  });
  return call;
}

function fail(response, turn) {
  const headers = turn.retry_after === undefined ? {} : { "retry-after": String(turn.retry_after) };
  sendJson(
    response,
    turn.status,
    {
      error: {
        message: turn.error_message ?? `scripted ${turn.status}`,
        type: "scripted",
        code: null,
      },
    },
    headers,
  );
}

function unscriptedTurn(body) {
  const forced = onlyTool(body);
  const mustCall = body.tool_choice === "required" || typeof body.tool_choice === "object";
  return mustCall && forced
    ? { tool_calls: [{ name: "$only", args: {}, fill: true }] }
    : { text: "An unscripted answer." };
}

function toAnswer(turn, body) {
  const toolCalls = (turn.tool_calls ?? []).map((call, index) => {
    const tool = call.name === "$only" ? onlyTool(body) : findTool(body, call.name);
    const args = call.fill
      ? sampleArguments(tool?.parameters ?? {}, call.args ?? {})
      : (call.args ?? {});
    return {
      id:
        call.id ??
        `call_${Date.now().toString(36)}_${Math.random().toString(36).slice(2, 10)}_${index}`,
      name: tool?.name ?? call.name,
      arguments: call.raw_args ?? JSON.stringify(args),
    };
  });
  return { text: turn.text ?? "", reasoning: turn.reasoning ?? "", toolCalls };
}

function onlyTool(body) {
  const named = typeof body.tool_choice === "object" ? body.tool_choice?.function?.name : undefined;
  return named ? findTool(body, named) : (body.tools?.[0]?.function ?? null);
}

function findTool(body, name) {
  return body.tools?.find((tool) => tool.function?.name === name)?.function ?? null;
}

async function streamAnswer(response, turn, answer, body, script, call) {
  response.writeHead(200, {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-cache",
  });
  response.flushHeaders();
  await pause(turn.first_delay_ms);
  const base = {
    id: `chatcmpl-${Math.random().toString(36).slice(2)}`,
    object: "chat.completion.chunk",
    created: Math.floor(Date.now() / 1000),
    model: body.model,
  };
  const send = (delta, finish = null) =>
    response.write(
      "data: " +
        `${JSON.stringify({ ...base, choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`,
    );
  send({ role: "assistant", content: "" });
  let sent = 0;
  for (const delta of deltasOf(turn, answer)) {
    if (turn.cut_after === sent) return cut(response);
    if (turn.hold_after === sent) await held(script, response);
    if (response.destroyed) return undefined;
    send(delta);
    sent += 1;
    call.sent = sent;
    if (turn.malformed && sent === 1) response.write('data: {"choices": [{"index": 0, "delta"\n\n');
    await pause(turn.chunk_delay_ms);
  }
  if (turn.cut_after !== undefined && turn.cut_after >= sent) return cut(response);
  if (turn.hold_after !== undefined && turn.hold_after >= sent) await held(script, response);
  if (response.destroyed) return undefined;
  send({}, finishReason(turn, answer));
  const usage = usageOf(turn, answer, body);
  if (usage && body.stream_options?.include_usage)
    response.write(`data: ${JSON.stringify({ ...base, choices: [], usage })}\n\n`);
  response.end("data: [DONE]\n\n");
  return undefined;
}

function* deltasOf(turn, answer) {
  const size = turn.chunk_size ?? 12;
  for (const part of chunkText(answer.reasoning, size)) yield { reasoning_content: part };
  for (const part of chunkText(answer.text, size)) yield { content: part };
  for (const [index, call] of answer.toolCalls.entries()) {
    yield {
      tool_calls: [
        { index, id: call.id, type: "function", function: { name: call.name, arguments: "" } },
      ],
    };
    for (const part of chunkText(call.arguments, size))
      yield { tool_calls: [{ index, function: { arguments: part } }] };
  }
}

async function sendWhole(response, turn, answer, body, script) {
  await pause(turn.first_delay_ms);
  if (turn.hold_after !== undefined) await held(script, response);
  if (turn.cut_after !== undefined) return cut(response);
  if (turn.malformed)
    return response.writeHead(200, { "content-type": "application/json" }).end('{"choices": [');
  const message = { role: "assistant", content: answer.text || null };
  if (answer.reasoning) message.reasoning_content = answer.reasoning;
  if (answer.toolCalls.length > 0) {
    message.tool_calls = answer.toolCalls.map((call) => ({
      id: call.id,
      type: "function",
      function: { name: call.name, arguments: call.arguments },
    }));
  }
  return sendJson(response, 200, {
    id: `chatcmpl-${Math.random().toString(36).slice(2)}`,
    object: "chat.completion",
    created: Math.floor(Date.now() / 1000),
    model: body.model,
    choices: [{ index: 0, message, finish_reason: finishReason(turn, answer) }],
    usage: usageOf(turn, answer, body) ?? undefined,
  });
}

function finishReason(turn, answer) {
  return turn.finish_reason ?? (answer.toolCalls.length > 0 ? "tool_calls" : "stop");
}

/**
 * As a real server counts: a quarter of the characters, unless the script says otherwise; null when
 * the script wants none.
 */
function usageOf(turn, answer, body) {
  if (turn.usage === null) return null;
  const output =
    answer.text.length +
    answer.reasoning.length +
    answer.toolCalls.reduce((sum, call) => sum + call.arguments.length, 0);
  const promptTokens =
    turn.usage?.input ?? Math.ceil(JSON.stringify(body.messages ?? []).length / 4);
  const completionTokens = turn.usage?.output ?? Math.max(1, Math.ceil(output / 4));
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    prompt_tokens_details: { cached_tokens: turn.usage?.cached ?? 0 },
  };
}

async function cut(response) {
  await pause(BEFORE_CUT_MS);
  response.socket?.destroy();
}

function held(script, response) {
  if (!script || script.released || response.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    script.waiting.push(resolve);
    response.on("close", resolve);
  });
}

function pause(milliseconds) {
  return milliseconds
    ? new Promise((resolve) => setTimeout(resolve, milliseconds))
    : Promise.resolve();
}

async function readBody(request) {
  const parts = [];
  let size = 0;
  for await (const part of request) {
    size += part.length;
    if (size > BODY_MAX_BYTES) throw new Error("the body is too large");
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

function sendJson(response, status, body, headers = {}) {
  response
    .writeHead(status, { "content-type": "application/json", ...headers })
    .end(JSON.stringify(body));
}
