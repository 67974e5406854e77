import { expect, test } from "vitest";
import { watchPrompts } from "@/e2e/support/model-server/watch-prompts.mjs";
import { readPrompt, type VendorName } from "@/e2e/support/vendor-prompts";

// What holds the prompts of all end-to-end tests together would be worth nothing if it let any
// pass.

const TIME = "<time>\nIt is Monday, 2026-01-05, 23:30 (UTC).\n</time>";
const system = { role: "system", content: "You are an agent." };
const asked = { role: "user", content: `${TIME}\n\nCount.` };
const called = { role: "assistant", content: null, tool_calls: [{ id: "call_1" }] };
const result = { role: "tool", tool_call_id: "call_1", content: "7" };
const said = { role: "assistant", content: "Seven." };
const tools = [{ function: { name: "count" } }];

function watched() {
  const watch = watchPrompts();
  watch.answered(["call_1"], { messages: [system, asked], tools });
  watch.answered([], { messages: [system, asked, called, result], tools }, "Seven.");
  return watch;
}

test("a prompt that begins with the whole one before passes, by calls and words", () => {
  const watch = watched();
  expect(watch.faultOf({ messages: [system, asked, called, result], tools })).toBeNull();
  const corrected = [system, asked, called, result, said, { role: "user", content: "As JSON." }];
  expect(watch.faultOf({ messages: corrected, tools })).toBeNull();
  expect(watch.faultOf({ messages: corrected })).toBeNull();
});

test.each([
  ["the system prompt", [{ ...system, content: "You are." }, asked, called, result], tools],
  ["the request", [system, { ...asked, content: `${TIME}\n\nSum.` }, called, result], tools],
  ["a message between", [system, { role: "user", content: "x" }, asked, called, result], tools],
  ["the tools", [system, asked, called, result], [{ function: { name: "sum" } }]],
  ["a result", [system, asked, called, { ...result, content: "8" }, said], tools],
])("a prompt whose beginning changed is found out: %s", (_, messages, now) => {
  const shown = [...messages, { role: "user", content: "Go on." }];
  expect(watched().faultOf({ messages: shown, tools: now })).not.toBeNull();
});

test("the first prompt of a later run, and one that begins anew with a summary, are others", () => {
  const watch = watched();
  const later = { role: "user", content: `${TIME}\n\nAnd now?` };
  expect(watch.faultOf({ messages: [said, later], tools })).toBeNull();
  const summary = { role: "user", content: "You have worked on this already. Seven." };
  expect(watch.faultOf({ messages: [system, summary, called, result], tools })).toBeNull();
});

const VENDORS: Record<VendorName, (first: string, mark: string) => object> = {
  openai: (first) => ({
    input: [
      { role: "developer", content: first },
      { role: "user", content: [{ type: "input_text", text: "Count." }] },
      { type: "function_call", call_id: "call_1", name: "count", arguments: "{}" },
      { type: "function_call_output", call_id: "call_1", output: "7" },
    ],
    tools,
  }),
  anthropic: (first, mark) => ({
    system: [{ type: "text", text: first, cache_control: { type: "ephemeral" } }],
    messages: [
      {
        role: "user",
        content: [{ type: "text", text: "Count.", ...(mark && { cache_control: {} }) }],
      },
      {
        role: "assistant",
        content: [{ type: "tool_use", id: "call_1", name: "count", input: {} }],
      },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "call_1", content: "7" }] },
    ],
    tools,
  }),
  google: (first) => ({
    systemInstruction: { parts: [{ text: first }] },
    contents: [
      { role: "user", parts: [{ text: "Count." }] },
      { role: "model", parts: [{ functionCall: { name: "count", args: {} } }] },
      { role: "user", parts: [{ functionResponse: { name: "count", response: { result: "7" } } }] },
    ],
    tools,
  }),
};
const cutAfterRequest = (body: object): object =>
  Object.fromEntries(
    Object.entries(body).map(([key, value]) => [
      key,
      key === "input"
        ? (value as unknown[]).slice(0, 2) // the lists above
        : key === "messages" || key === "contents"
          ? (value as unknown[]).slice(0, 1)
          : value,
    ]),
  );

test.each(["openai", "anthropic", "google"] as const)(
  "in %s's own format too: what is marked for the cache may move, what stands there may not",
  (vendor) => {
    const watch = watchPrompts(readPrompt(vendor));
    const asked = cutAfterRequest(VENDORS[vendor]("You are an agent.", "marked"));
    const [ids, words] = vendor === "google" ? [[], '[["count",{}]]'] : [["call_1"], ""];
    watch.answered(ids, asked, words);
    expect(watch.faultOf(VENDORS[vendor]("You are an agent.", ""))).toBeNull();
    expect(watch.faultOf(VENDORS[vendor]("You are another.", ""))).toContain("does not begin");
  },
);
