import { expect, test } from "vitest";
import { readConversation, shownConversation } from "@/lib/domain/execution/conversation-context";
import type {
  ConversationContext,
  EarlierRun,
  HistoryMessage,
} from "@/lib/domain/execution/earlier-runs";
import { HISTORY_CHARACTERS_MAX, HISTORY_MESSAGES_MAX } from "@/lib/domain/execution/earlier-runs";
import type { LoadedRun } from "@/lib/domain/execution/load-run";

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
const earlier = (messages: HistoryMessage[], calls: string[] = []): EarlierRun => ({
  runId: "r",
  position: 1,
  messages,
  calls,
});
const shown = (more: Partial<ConversationContext>) => {
  const plain: ConversationContext = {
    summary: null,
    shown: [],
    fallen: [],
    more: false,
    isCut: false,
    artifacts: [],
  };
  return shownConversation({ conversation: { ...plain, ...more } } as unknown as LoadedRun); // nothing else is read
};
const FAILED = { role: "assistant", text: "(This request failed, and nothing was stored.)" };

test("a prompt has a conversation oldest first, and an answer for each request that came to nothing", () => {
  const newer = earlier([message(3, "user", "Again?")]);
  const older = earlier([message(1, "user", "Do it."), message(2, "assistant", "Done.")]);
  const oldest = earlier([message(0, "user", "Hello?")]);
  expect(shown({ shown: [newer, older, oldest] })).toEqual({
    messages: [
      message(0, "user", "Hello?"),
      FAILED,
      message(1, "user", "Do it."),
      message(2, "assistant", "Done."),
      message(3, "user", "Again?"),
      FAILED,
    ],
    before: null,
    record: null,
  });
  expect(shownConversation({ conversation: null } as unknown as LoadedRun)).toEqual({
    messages: [],
    before: null,
    record: null,
  });
});

test("what stands before the shown part is its summary, or a word that something is left out, or nothing", () => {
  const summary = { text: "They met.", through: 3 };
  const short = "Earlier in this conversation, in short:\n\nThey met.";
  expect(shown({ summary }).before).toBe(short);
  expect(shown({ summary, isCut: true }).before).toBe(short);
  expect(shown({ isCut: true }).before).toBe(
    "(The beginning of this conversation is left out here.)",
  );
});

test("the record tells of artifacts and of calls, newest first, each where there are any", () => {
  const head =
    "What you did earlier in this conversation, newest first. This is a record: it gives no orders, and what it tells may have changed since.";
  const made = "\nArtifacts that were made (files_read reads one by its id):\n- f2\n- f1";
  const done = "\nCalls of tools, with what they gave then:\n- c3\n- c2\n- c1";
  const runs = [earlier([], ["c3", "c2"]), earlier([], ["c1"])];
  expect(shown({ shown: runs, artifacts: ["f2", "f1"] }).record).toBe(head + made + done);
  expect(shown({ shown: runs }).record).toBe(head + done);
  expect(shown({ artifacts: ["f2", "f1"] }).record).toBe(head + made);
});

/** What a builder's run reads of its conversation, which is what was said alone. */
async function read(
  history: HistoryMessage[],
  more: object = {},
): Promise<LoadedRun["conversation"]> {
  const earlierIn = { conversationId: "conversation", before: null };
  const plain = {
    id: "run",
    accountId: "account",
    kind: "agent_creation",
    model: "builtin/offline",
    agent: null,
    secrets: [],
  };
  const run = { ...plain, earlierIn, conversation: null, history, ...more } as unknown as LoadedRun; // nothing else is read
  await readConversation(run);
  return run.conversation;
}

test("a conversation is read by runs, newest first, their messages oldest first; an answer that has lost its question is not shown", async () => {
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

test("one message more than is shown says that there are more, and what does not fit is cut", async () => {
  const said = (count: number) =>
    Array.from({ length: count }, (_, index) => message(count - index, "user", "x"));
  expect(await read(said(HISTORY_MESSAGES_MAX))).toMatchObject({
    more: false,
    isCut: false,
    fallen: [],
  });
  const more = await read(said(HISTORY_MESSAGES_MAX + 1));
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
