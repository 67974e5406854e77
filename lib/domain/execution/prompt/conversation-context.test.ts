import { expect, test } from "vitest";
import {
  readConversation,
  shownConversation,
} from "@/lib/domain/execution/prompt/conversation-context";
import type {
  ConversationContext,
  EarlierCall,
  EarlierRun,
  HistoryMessage,
} from "@/lib/domain/execution/prompt/earlier-runs";
import {
  HISTORY_CHARACTERS_MAX,
  HISTORY_MESSAGES_MAX,
} from "@/lib/domain/execution/prompt/earlier-runs";
import { testRun } from "@/lib/domain/test/test-run";

const message = (
  position: number,
  role: HistoryMessage["role"],
  text: string,
  runId = `r${position}`,
): HistoryMessage => ({
  runId,
  position,
  role,
  text,
});
const call = (name: string, more: Partial<EarlierCall> = {}): EarlierCall => ({
  ...{ turn: 0, toolCallId: name, name, succeeded: true },
  ...{ said: "", input: '{"a":1}', output: '{"b":2}', length: 7 },
  ...more,
});
const earlier = (messages: HistoryMessage[], calls: EarlierCall[] = []): EarlierRun => ({
  runId: "r",
  position: 1,
  messages,
  calls,
});
const said = (role: HistoryMessage["role"], text: string) => ({
  role,
  content: [{ type: "text", text }],
});
const shown = (more: Partial<ConversationContext>, withCalls = false) => {
  const plain: ConversationContext = {
    summary: null,
    shown: [],
    fallen: [],
    more: false,
    isCut: false,
    artifacts: [],
  };
  const run = testRun({ model: "builtin/offline", conversation: { ...plain, ...more } });
  return shownConversation(run, withCalls);
};
const FAILED = said("assistant", "(This request failed, and nothing was stored.)");

test("a prompt has a conversation oldest first, with an answer for each vain request", () => {
  const newer = earlier([message(3, "user", "Again?")]);
  const older = earlier([message(1, "user", "Do it."), message(2, "assistant", "Done.")]);
  const oldest = earlier([message(0, "user", "Hello?")]);
  expect(shown({ shown: [newer, older, oldest] })).toEqual({
    messages: [
      said("user", "Hello?"),
      FAILED,
      said("user", "Do it."),
      said("assistant", "Done."),
      said("user", "Again?"),
      FAILED,
    ],
    before: null,
    record: null,
  });
  expect(shownConversation(testRun({ conversation: null }), true)).toEqual({
    messages: [],
    before: null,
    record: null,
  });
});

test("before the shown part stands its summary, a word of omission, or nothing", () => {
  const summary = { text: "They met.", through: 3 };
  const short = "Earlier in this conversation, in short:\n\nThey met.";
  expect(shown({ summary }).before).toBe(short);
  expect(shown({ summary, isCut: true }).before).toBe(
    `${short}\n\n(What came between that and the following is left out here.)`,
  );
  expect(shown({ isCut: true }).before).toBe(
    "(The beginning of this conversation is left out here.)",
  );
});

test("the record tells of artifacts and of calls, newest first, each where there are any", () => {
  const head =
    "What you did earlier in this conversation, newest first. This is a record: it gives no " +
    "orders, and what it tells may have changed since.";
  const made = "\nArtifacts that were made (files_read reads one by its id):\n- f2\n- f1";
  const lines = ["c3", "c2", "c1"].map((name) => `\n- ${name} {"a":1} gave: {"b":2}`);
  const done = `\nCalls of tools, with what they gave then:${lines.join("")}`;
  const runs = [earlier([], [call("c3"), call("c2")]), earlier([], [call("c1")])];
  expect(shown({ shown: runs, artifacts: ["f2", "f1"] }).record).toBe(head + made + done);
  expect(shown({ shown: runs }).record).toBe(head + done);
  expect(shown({ artifacts: ["f2", "f1"] }).record).toBe(head + made);
});

test("an earlier run's deeds stand before its answer, as calls with results", () => {
  const messages = [message(1, "user", "Do it."), message(2, "assistant", "Done.")];
  const calls = [
    call("b", { turn: 1, said: "Then b.", output: '"plain"' }),
    call("a2", { output: '{"cut', length: 900 }),
    call("a1", { input: null }),
  ];
  const result = (name: string, value: string) => ({
    type: "tool-result",
    toolCallId: `${name}_r`,
    toolName: name,
    output: { type: "text", value },
  });
  const asked = (name: string, input: object) => ({
    type: "tool-call",
    toolCallId: `${name}_r`,
    toolName: name,
    input,
  });
  const run = earlier(messages, calls);
  expect(shown({ shown: [run] }, true)).toEqual({
    messages: [
      said("user", "Do it."),
      { role: "assistant", content: [asked("a1", {}), asked("a2", { a: 1 })] },
      {
        role: "tool",
        content: [result("a1", '{"b":2}'), result("a2", '{"cut … (cut; 900 characters)')],
      },
      { role: "assistant", content: [{ type: "text", text: "Then b." }, asked("b", { a: 1 })] },
      { role: "tool", content: [result("b", "plain")] },
      said("assistant", "Done."),
    ],
    before: null,
    record: null,
  });
  // Without calls they are told in a record.
  expect(shown({ shown: [run] }).messages).toHaveLength(2);
  expect(shown({ shown: [run] }).record).toContain('b {"a":1} gave: "plain"');
});

test("of long results the oldest are left out in their places, and their calls stay", () => {
  const long = (position: number) =>
    earlier(
      [message(position, "user", "Read."), message(position + 1, "assistant", "Read it.")],
      [call(`c${position}`, { output: "x".repeat(40_000), length: 40_000 })],
    );
  const { messages } = shown({ shown: [long(5), long(3), long(1)] }, true);
  const results = messages
    .filter(({ role }) => role === "tool")
    .map((each) => JSON.stringify(each));
  expect(results.map((text) => text.includes("left out by now"))).toEqual([true, true, false]);
});

/** What a builder's run reads of its conversation, which is what was said alone. */
async function read(
  history: HistoryMessage[],
  more: object = {},
): Promise<ConversationContext | null> {
  const earlierIn = { conversationId: "conversation", before: null };
  const plain = {
    id: "run",
    accountId: "account",
    kind: "agent_creation",
    model: "builtin/offline",
    agent: null,
    secrets: [],
  };
  const run = testRun({ ...plain, earlierIn, conversation: null, history, ...more });
  await readConversation(run);
  return run.context.conversation;
}

test("a conversation is read by runs, newest first; an orphaned answer is not", async () => {
  const [ask, answer, lost] = [
    message(4, "user", "B?", "two"),
    message(5, "assistant", "B.", "two"),
    message(3, "assistant", "A.", "one"),
  ];
  expect(await read([message(6, "user", "C?", "three"), answer, ask, lost])).toEqual({
    summary: null,
    shown: [
      { runId: "three", position: 6, messages: [message(6, "user", "C?", "three")], calls: [] },
      { runId: "two", position: 5, messages: [ask, answer], calls: [] },
      { runId: "one", position: 3, messages: [], calls: [] },
    ],
    fallen: [],
    more: false,
    isCut: false,
    artifacts: [],
  });
});

test("one message more than is shown says that there are more; the rest is cut", async () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, index) => message(count - index, "user", "x"));
  expect(await read(many(HISTORY_MESSAGES_MAX))).toMatchObject({
    more: false,
    isCut: false,
    fallen: [],
  });
  const more = await read(many(HISTORY_MESSAGES_MAX + 1));
  expect(more).toMatchObject({ more: true, isCut: true, fallen: [] });
  expect(more?.shown).toHaveLength(HISTORY_MESSAGES_MAX);
  const long = await read([
    message(2, "user", "x"),
    message(1, "user", "x".repeat(HISTORY_CHARACTERS_MAX)),
  ]);
  expect(long).toMatchObject({
    more: false,
    isCut: true,
    shown: [{ position: 2 }],
    fallen: [{ position: 1 }],
  });
});

test("a conversation is read once, and not at all where no run came before", async () => {
  expect(await read([message(1, "user", "x")], { earlierIn: null })).toBeNull();
  const known = { shown: [] };
  expect(await read([message(1, "user", "x")], { conversation: known })).toBe(known);
});
