/**
 * Holds the prompts of runs to what a cache needs: each begins with the whole one to which the
 * server gave the last call in it, to the byte, and has the same tools. Not so one that begins anew
 * with a summary of what came before.
 */
export function watchPrompts() {
  const answered = new Map();
  return {
    /** Notes what was answered with calls of these ids. */
    answered(ids, body) {
      const seen = seenOf(body);
      for (const id of ids) answered.set(id, seen);
    },

    /** What is wrong with a prompt; null: nothing. */
    faultOf(body) {
      const messages = body.messages ?? [];
      const last = messages.findLast((message) => message.role === "assistant");
      const before = answered.get(last?.tool_calls?.[0]?.id);
      // A later request of the conversation begins with what it recalls.
      if (!before || isAsked(messages, last)) return null;
      const now = seenOf(body);
      if (before.summary !== now.summary) return null;
      const at = before.messages.findIndex((message, index) => message !== now.messages[index]);
      if (at >= 0)
        return `the prompt does not begin with the one before: message ${at} was ${before.messages[at]} and is ${now.messages[at]}`;
      return body.tools === undefined || before.tools === now.tools
        ? null
        : `the prompt's tools are others than before: ${before.tools} and ${now.tools}`;
    },
  };
}

const SUMMARY = "You have worked on this already.";

function seenOf({ messages = [], tools }) {
  const texts = messages.map((message) => JSON.stringify(message));
  return {
    messages: texts,
    tools: JSON.stringify(tools),
    summary: texts.find((text) => text.includes(SUMMARY)) ?? null,
  };
}

/** Whether the last call of a prompt is one of an earlier run, and its answer stands behind it. */
function isAsked(messages, last) {
  const behind = messages.slice(messages.indexOf(last) + 1);
  return behind.some((message) => message.role === "assistant");
}
