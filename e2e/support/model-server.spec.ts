import { expect, test } from "@playwright/test";
import { ModelScript, type ScriptTurn } from "./model-script";
import { type HelperServer, startHelperServer } from "./servers";

let server: HelperServer;
test.beforeAll(async () => {
  server = await startHelperServer("model");
});
test.afterAll(() => server.stop());

function script(...turns: ScriptTurn[]): Promise<ModelScript> {
  return ModelScript.register(server.url, turns);
}

const TOOL = {
  type: "function",
  function: {
    name: "create_thing",
    parameters: {
      type: "object",
      required: ["name", "kind", "parts"],
      properties: {
        name: { type: "string" },
        kind: { enum: ["good", "bad"] },
        parts: { type: "array", items: { $ref: "#/$defs/part" } },
      },
      $defs: {
        part: {
          type: "object",
          required: ["size"],
          properties: { size: { type: "integer", minimum: 3 } },
        },
      },
    },
  },
};

function ask(
  text: string,
  more: Record<string, unknown> = {},
  signal?: AbortSignal,
): Promise<Response> {
  const body = {
    model: "test-model",
    stream: true,
    stream_options: { include_usage: true },
    messages: [{ role: "user", content: text }],
    ...more,
  };
  return fetch(`${server.url}/v1/chat/completions`, {
    method: "POST",
    body: JSON.stringify(body),
    signal,
  });
}

interface Chunk {
  choices: {
    delta: {
      content?: string;
      reasoning_content?: string;
      tool_calls?: { id?: string; function: { name?: string; arguments?: string } }[];
    };
    finish_reason: string | null;
  }[];
  usage?: {
    prompt_tokens: number;
    completion_tokens: number;
    prompt_tokens_details: { cached_tokens: number };
  };
}

async function chunksOf(response: Response): Promise<Chunk[]> {
  const data = (await response.text()).split("\n\n").filter(Boolean);
  expect(data.pop()).toBe("data: [DONE]");
  // The protocol's own chunks, as the server under test wrote them.
  return data.map((line) => JSON.parse(line.replace(/^data: /, "")) as Chunk);
}

test("a scripted text comes in pieces that join to it, finish reason and usage last", async () => {
  const one = await script({
    text: "Grüße 🌍 from the scripted model",
    reasoning: "Let me think.",
    chunk_size: 3,
    usage: { input: 12, output: 7, cached: 5 },
  });
  const chunks = await chunksOf(await ask(`hello ${one.mark}`));
  const deltas = chunks.flatMap((chunk) => chunk.choices.map((choice) => choice.delta));
  expect(deltas.map((delta) => delta.content ?? "").join("")).toBe(
    "Grüße 🌍 from the scripted model",
  );
  expect(deltas.map((delta) => delta.reasoning_content ?? "").join("")).toBe("Let me think.");
  expect(deltas.length).toBeGreaterThan(8);
  expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe("stop");
  expect(chunks.at(-1)?.usage).toMatchObject({
    prompt_tokens: 12,
    completion_tokens: 7,
    prompt_tokens_details: { cached_tokens: 5 },
  });
});

test("a tool call arrives in fragments that join to arguments fitting the schema", async () => {
  const one = await script({
    tool_calls: [{ name: "$only", args: { name: "wheel" }, fill: true }],
  });
  const chunks = await chunksOf(await ask(one.mark, { tools: [TOOL] }));
  const calls = chunks.flatMap((chunk) =>
    chunk.choices.flatMap((choice) => choice.delta.tool_calls ?? []),
  );
  expect(calls.length).toBeGreaterThan(2);
  expect(calls[0]?.function.name).toBe("create_thing");
  expect(JSON.parse(calls.map((call) => call.function.arguments ?? "").join(""))).toEqual({
    name: "wheel",
    kind: "good",
    parts: [{ size: 3 }],
  });
});

test("each request takes the next turn and the last one repeats", async () => {
  const one = await script({ status: 429, retry_after: 1 }, { text: "second" });
  const first = await ask(one.mark);
  expect([first.status, first.headers.get("retry-after")]).toEqual([429, "1"]);
  for (const _ of [1, 2]) expect(await (await ask(one.mark)).text()).toContain("second");
  expect(await one.calls()).toHaveLength(3);
});

test("the newest key in the conversation wins over older ones and the system prompt", async () => {
  const [system, older, newer] = [
    await script({ text: "system" }),
    await script({ text: "older" }),
    await script({ text: "newer" }),
  ];
  const messages = [
    { role: "system", content: system.mark },
    { role: "user", content: [{ type: "text", text: older.mark }] },
    { role: "assistant", content: older.mark },
    { role: "user", content: `go ${newer.mark}` },
  ];
  expect(await (await ask("", { messages, stream: false })).text()).toContain("newer");
  expect(await (await ask("", { messages: messages.slice(0, 2), stream: false })).text()).toContain(
    "older",
  );
  expect(await (await ask("", { messages: messages.slice(0, 1), stream: false })).text()).toContain(
    "system",
  );
});

test("a held answer waits for its release; a client's leaving is recorded", async () => {
  const one = await script({ text: "one two three four", chunk_size: 4, hold_after: 2 });
  const controller = new AbortController();
  const left = await ask(one.mark, {}, controller.signal);
  const reader = left.body?.getReader();
  await reader?.read();
  controller.abort();
  await expect.poll(async () => (await one.calls())[0]?.disconnected_at ?? 0).toBeGreaterThan(0);
  const held = (await ask(one.mark)).text();
  await one.waitForCalls(2);
  expect((await one.calls())[1]).toMatchObject({ finished_at: null, disconnected_at: null });
  await one.release();
  expect(await held).toContain("[DONE]");
});

test("a cut answer breaks off after the named pieces, a malformed one has one broken", async () => {
  const cut = await script({ text: "one two three", chunk_size: 4, cut_after: 1 });
  let read = "";
  const reading = async () => {
    const reader = (await ask(cut.mark)).body?.getReader();
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read())
      read += Buffer.from(part.value).toString("utf8");
  };
  await expect(reading()).rejects.toThrow();
  expect(read).toContain('"one "');
  expect(read).not.toContain("two");
  const malformed = await script({ text: "one two", malformed: true });
  const lines = (await (await ask(malformed.mark)).text()).split("\n\n");
  expect(lines.some((line) => line.startsWith("data: {") && !line.endsWith("}"))).toBe(true);
});

test("without a script the answer is a text, or fitting call; usage may be withheld", async () => {
  expect(await (await ask("no key", { stream: false })).text()).toContain("unscripted");
  const forced = await ask("no key", { tools: [TOOL], tool_choice: "required", stream: false });
  expect(await forced.text()).toContain("create_thing");
  const silent = await script({ text: "x", usage: null });
  expect(await (await ask(silent.mark)).text()).not.toContain("usage");
  expect((await fetch(`${server.url}/v1/models`)).status).toBe(200);
});
