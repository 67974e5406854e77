import "server-only";

/** Small jobs on words that need no knowledge: turning a text's case, sorting, counting, listing. Null when it is none of them. */
export function answerPlainly(request: string): string | null {
  const found = /^(?<task>[^:\n]{3,120}):\s*(?<body>[\s\S]+)$/.exec(request.trim());
  const task = found?.groups?.task?.toLowerCase() ?? "";
  const body = found?.groups?.body?.trim() ?? "";
  if (body === "") return null;
  const items = itemsOf(body);
  if (/\b(?:upper ?case|capitals)\b/.test(task)) return body.toUpperCase();
  if (/\blower ?case\b/.test(task)) return body.toLowerCase();
  if (/\bcount\b.*\bwords\b|\bhow many words\b/.test(task)) return `**${body.split(/\s+/).length}** words`;
  if (/\bcount\b.*\bcharacters\b/.test(task)) return `**${[...body].length}** characters`;
  if (/\b(?:sort|order|alphabet)/.test(task) && items.length > 1)
    return toList(sorted(items, /\b(?:desc|reverse|z to a|largest first)/.test(task)));
  if (/\b(?:dedup|duplicates|unique|distinct)/.test(task) && items.length > 1) return toList([...new Set(items)]);
  if (/\b(?:bullet|list)\b/.test(task) && items.length > 1) return toList(items);
  if (/\b(?:number|numbered)\b/.test(task) && items.length > 1) return items.map((item, index) => `${index + 1}. ${item}`).join("\n");
  return null;
}

function itemsOf(body: string): string[] {
  const parts = body.includes("\n") ? body.split("\n") : body.split(/[,;]|\band\b/);
  return parts.map((part) => part.replace(/^\s*(?:[-*]|\d+[.)])\s+/, "").trim()).filter(Boolean);
}

function sorted(items: readonly string[], isReversed: boolean): string[] {
  const compare = new Intl.Collator("en", { numeric: true }).compare;
  const inOrder = [...items].sort(compare);
  return isReversed ? inOrder.reverse() : inOrder;
}

function toList(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join("\n");
}
