import "server-only";
import { trimEnd } from "@/lib/model/text/trim";

/** A sum that a request sets. */
export interface Arithmetic {
  /** As people write it. */
  text: string;
  /** JavaScript of digits and operators, and nothing else. */
  code: string;
}

const LEAD = /^(?:(?:please|what is|what's|how much is|calculate|compute|work out)\s+)*/i;
const LENGTH_MAX = 300;
const PERCENT_OF = /(?:%|\bpercent)\s{0,3}of\b/gi;

/**
 * The sum that is the whole of a clause, with `12 % of 80` in it or not. Null for anything else.
 */
export function readArithmetic(clause: string): Arithmetic | null {
  if (clause.length > LENGTH_MAX) return null;
  const text = trimEnd(clause.trim().replace(LEAD, ""), " \t\r\n?.=!");
  const code = text
    .replace(PERCENT_OF, "/ 100 *")
    .replaceAll("×", "*")
    .replaceAll("÷", "/")
    .replaceAll("−", "-")
    .replaceAll("^", "**")
    // `1,234` is a thousand and more; zeros before a number would read as octal.
    .replace(/(\d),(?=\d{3}(?!\d))/g, "$1")
    .replace(/\d+(?:\.\d+)?/g, (number) => String(Number(number)));
  const isSum = /^[\d\s.+*/()-]+$/.test(code) && /\d\s{0,9}[-+*/]{1,2}\s{0,9}[(\d.-]/.test(code);
  const isDate = /^\d{4}-\d\d(?:-\d\d)?$/.test(text);
  return isSum && !isDate ? { text, code: `Number((${code}).toPrecision(15))` } : null;
}
