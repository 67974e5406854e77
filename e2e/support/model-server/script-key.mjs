const MARK = /\[\[script:([A-Za-z0-9_-]+)\]\]/g;

/**
 * The key of the script that answers these messages: the newest one a user wrote, else one of the
 * system prompt, else null.
 */
export function scriptKeyOf(messages) {
  const users = messages.filter((message) => message.role === "user").reverse();
  const rest = messages.filter(
    (message) => message.role === "system" || message.role === "developer",
  );
  for (const message of [...users, ...rest]) {
    const found = [...textOf(message.content).matchAll(MARK)].at(-1)?.[1];
    if (found) return found;
  }
  return null;
}

function textOf(content) {
  if (typeof content === "string") return content;
  return Array.isArray(content) ? content.map((part) => part?.text ?? "").join("\n") : "";
}
