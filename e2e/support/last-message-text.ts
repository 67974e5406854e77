import type { Line } from "./shapes";

/** The joined deltas of the last message that no other one replaces: what `result.text` must equal (contract §3). */
export function lastMessageText(lines: Line[]): string {
  const created = lines.filter((line) => line.type === "message.created");
  const replaced = new Set(created.map((line) => line.replaces).filter(Boolean));
  const last = created.filter((line) => !replaced.has(line.message_id)).at(-1);
  return lines
    .filter((line) => line.type === "output_text.delta")
    .filter((line) => line.message_id === last?.message_id)
    .map((line) => line.delta)
    .join("");
}
