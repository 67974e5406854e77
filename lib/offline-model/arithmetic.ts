import "server-only";

/** A sum that a request sets. */
export interface Arithmetic {
  /** As people write it. */
  text: string;
  /** JavaScript of digits, operators and the functions below, and nothing else. */
  code: string;
}

const LIST_CODE: { [name: string]: string } = {
  sum: "list.reduce((a, b) => a + b, 0)",
  total: "list.reduce((a, b) => a + b, 0)",
  average: "list.reduce((a, b) => a + b, 0) / list.length",
  mean: "list.reduce((a, b) => a + b, 0) / list.length",
  median: "((s) => (s[(s.length - 1) >> 1] + s[s.length >> 1]) / 2)([...list].sort((a, b) => a - b))",
  minimum: "Math.min(...list)",
  maximum: "Math.max(...list)",
};
const LEAD = /^(?:(?:please|what is|what's|what are|how much is|calculate|compute|work out|tell me|the|of)\s+)*/i;
const NUMBER = String.raw`-?\d{1,15}(?:,\d{3}){0,4}(?:\.\d{1,15})?`;
const LISTED = String.raw`-?\d{1,15}(?:\.\d{1,15})?`;
const LENGTH_MAX = 4000;

/** The sum that is the whole of a clause: an expression, a percentage, a figure of a list. Null for anything else. */
export function readArithmetic(clause: string): Arithmetic | null {
  if (clause.length > LENGTH_MAX) return null;
  const text = clause
    .replaceAll("×", "*")
    .replaceAll("÷", "/")
    .replaceAll("−", "-")
    .replace(LEAD, "")
    .replace(/[\s?.=!]+$/, "");
  const percent = new RegExp(`^(${NUMBER})\\s*(?:%|percent)\\s+of\\s+(${NUMBER})$`, "i").exec(text);
  if (percent) return toArithmetic(`${percent[1]} % of ${percent[2]}`, `${bare(percent[1])} * ${bare(percent[2])} / 100`);
  // `1,234` in a list may be one number or two.
  const isClear = !/\d,\d{3}(?!\d)/.test(text);
  const listed = new RegExp(
    `^(sum|total|average|mean|median|minimum|maximum)\\s+(?:of\\s+)?(${LISTED}(?:(?:\\s*[,;]\\s*|\\s+)(?:and\\s+)?${LISTED}){1,500})$`,
    "i",
  ).exec(text);
  const code = LIST_CODE[listed?.[1]?.toLowerCase() ?? ""];
  if (isClear && listed?.[2] && code)
    return toArithmetic(text, `((list) => ${code})([${listed[2].match(new RegExp(LISTED, "g"))?.map(bare).join(", ")}])`);
  const isExpression = /^[\d\s.+*/^()%-]{3,300}$/.test(text) && /\d\s*[-+*/^%]\s*[(\d-]/.test(text) && !/^\d{4}-\d\d(?:-\d\d)?$/.test(text);
  return isExpression ? toArithmetic(text, text.replace(/\d+(?:\.\d+)?/g, bare).replaceAll("^", "**")) : null;
}

function toArithmetic(text: string, code: string): Arithmetic {
  return { text, code: `Number((${code}).toPrecision(15))` };
}

/** Without signs of thousands, and without leading zeros, which would read as octal. */
function bare(digits = "0"): string {
  return digits.replaceAll(",", "").replace(/^(-?)0+(?=\d)/, "$1");
}
