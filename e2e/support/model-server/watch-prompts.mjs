/**
 * Holds the prompts of runs to what a cache needs: each begins with the whole one to which the
 * server gave the last answer in it, to the byte, and has the same tools. Not so one that begins
 * anew with a summary of what came before, and the first one of a run, which begins with what it
 * recalls.
 *
 * @typedef {object} ShownMessage one message of a prompt, whatever the vendor's format
 * @property {string} text all of it, as JSON
 * @property {boolean} isAnswer the model's own
 * @property {string[]} ids of the calls in it
 * @property {string} said its words, for an answer without calls that have ids
 *
 * @typedef {object} ShownPrompt
 * @property {ShownMessage[]} messages
 * @property {string | undefined} tools as JSON
 *
 * @typedef {{messages: string[], tools: string | undefined, summary: string | null}} Answered
 */

/** Of one key: scripts give the same words, and the same ids, in many runs. */
const KEPT_MAX = 200;
const SUMMARY = "You have worked on this already.";
/** Stands in front of each request, where a run begins. */
const BEGINNING = /<time>\\nIt is /;

/** @param {(body: any) => ShownPrompt} read of a vendor's format; without it OpenAI's chat */
export function watchPrompts(read = readChat) {
  /** @type {Map<string, Answered[]>} */
  const answers = new Map();
  return {
    /**
     * Notes what was answered with calls of these ids, or, without any, with these words.
     * @param {string[]} ids
     * @param {object} body
     * @param {string} [said]
     */
    answered(ids, body, said = "") {
      const seen = seenOf(read(body));
      for (const key of keysOf(ids, said))
        answers.set(key, [...(answers.get(key) ?? []).slice(1 - KEPT_MAX), seen]);
    },

    /**
     * What is wrong with a prompt; null: nothing.
     * @param {object} body
     * @returns {string | null}
     */
    faultOf(body) {
      const prompt = read(body);
      const at = prompt.messages.findLastIndex(({ isAnswer }) => isAnswer);
      const last = prompt.messages[at];
      if (!last || prompt.messages.slice(at + 1).some(({ text }) => BEGINNING.test(text)))
        return null;
      const now = seenOf(prompt);
      const [key = ""] = keysOf(last.ids, last.said);
      const before = (answers.get(key) ?? []).filter(({ summary }) => summary === now.summary);
      const faults = before.map((each) => faultBetween(each, now));
      return faults.includes(null) ? null : (faults.at(-1) ?? null);
    },
  };
}

/**
 * @param {string[]} ids
 * @param {string} said
 */
function keysOf(ids, said) {
  // A builder's dry run has ids of its own, which end in ours.
  if (ids.length > 0) return ids.map((id) => `id ${id.replace(/^try_\d+_\d+_/, "")}`);
  return said === "" ? [] : [`said ${said}`];
}

/**
 * @param {Answered} before
 * @param {Answered} now
 * @returns {string | null}
 */
function faultBetween(before, now) {
  const at = before.messages.findIndex((message, index) => message !== now.messages[index]);
  if (at >= 0)
    return (
      `the prompt does not begin with the one before: message ${at} was ${before.messages[at]} ` +
      `and is ${now.messages[at]}`
    );
  return now.tools === undefined || before.tools === now.tools
    ? null
    : `the prompt's tools are others than before: ${before.tools} and ${now.tools}`;
}

/**
 * @param {ShownPrompt} prompt
 * @returns {Answered}
 */
function seenOf({ messages, tools }) {
  const texts = messages.map(({ text }) => text);
  return { messages: texts, tools, summary: texts.find((text) => text.includes(SUMMARY)) ?? null };
}

/**
 * OpenAI's chat, which servers of many makes speak.
 * @param {{messages?: {role: string, content?: unknown, tool_calls?: {id: string}[]}[], tools?:
 * unknown}} body
 * @returns {ShownPrompt}
 */
function readChat({ messages = [], tools }) {
  return {
    messages: messages.map((message) => ({
      text: JSON.stringify(message),
      isAnswer: message.role === "assistant",
      ids: (message.tool_calls ?? []).map(({ id }) => id),
      said: typeof message.content === "string" ? message.content : "",
    })),
    tools: JSON.stringify(tools),
  };
}
