import "server-only";

export interface Arithmetic {
  /** As people write it. */
  text: string;
  /** JavaScript made of digits and operators only. */
  code: string;
}

const LIST_OPS: Record<string, (list: string, count: number) => string> = {
  sum: (list) => `[${list}].reduce((a, b) => a + b, 0)`,
  total: (list) => `[${list}].reduce((a, b) => a + b, 0)`,
  average: (list, count) => `[${list}].reduce((a, b) => a + b, 0) / ${count}`,
  mean: (list, count) => `[${list}].reduce((a, b) => a + b, 0) / ${count}`,
  median: (list) =>
    `((s) => s.length % 2 ? s[s.length >> 1] : (s[s.length / 2 - 1] + s[s.length / 2]) / 2)([${list}].sort((a, b) => a - b))`,
  minimum: (list) => `Math.min(${list})`,
  maximum: (list) => `Math.max(${list})`,
};

/** The sum that a text sets: an expression, a percentage, or a list of numbers to add up or average. Null when it sets none. */
export function findArithmetic(text: string): Arithmetic | null {
  const plain = text.slice(0, 4000).replaceAll("×", "*").replaceAll("÷", "/").replaceAll("−", "-");
  return percentage(plain) ?? ofList(plain) ?? expression(plain);
}

function percentage(text: string): Arithmetic | null {
  const found = /(\d+(?:\.\d+)?)\s*(?:%|percent)\s+of\s+(\d+(?:\.\d+)?)/i.exec(text);
  if (!found) return null;
  return { text: `${found[1]} % of ${found[2]}`, code: `Number((${bare(found[1])} * ${bare(found[2])} / 100).toPrecision(15))` };
}

function ofList(text: string): Arithmetic | null {
  const found =
    /\b(sum|total|average|mean|median|minimum|maximum)\b[^\d-]{0,40}((?:-?\d+(?:\.\d+)?(?:\s*(?:,|;|and|\s)\s*)?){2,500})/i.exec(text);
  const numbers = found?.[2]?.match(/-?\d+(?:\.\d+)?/g) ?? [];
  const make = LIST_OPS[found?.[1]?.toLowerCase() ?? ""];
  if (!found || !make || numbers.length < 2) return null;
  const list = numbers.map(bare).join(", ");
  return { text: `${found[1]} of ${list}`, code: `Number((${make(list, numbers.length)}).toPrecision(15))` };
}

function expression(text: string): Arithmetic | null {
  const candidates = text.match(/[-\d(][\d\s.+*/^()%-]{1,300}[\d)]/g) ?? [];
  const found = candidates
    .map((part) => part.trim())
    .find((part) => /\d\s*[-+*/^%]\s*[(\d-]/.test(part) && !/^\d{4}-\d\d(?:-\d\d)?$/.test(part) && isBalanced(part));
  if (found === undefined) return null;
  return { text: found, code: `Number((${found.replace(/\d+(?:\.\d+)?/g, bare).replaceAll("^", "**")}).toPrecision(15))` };
}

function isBalanced(text: string): boolean {
  let depth = 0;
  for (const character of text) {
    if (character === "(") depth += 1;
    if (character === ")") depth -= 1;
    if (depth < 0) return false;
  }
  return depth === 0;
}

/** Without leading zeros, which would read as octal. */
function bare(digits: string | undefined): string {
  return (digits ?? "0").replace(/^(-?)0+(?=\d)/, "$1");
}
