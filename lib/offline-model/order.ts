import "server-only";
import { checkAgentConfig } from "@/lib/model/agent-config/check-agent-config";
import { isJsonObject, type JsonObject } from "@/lib/model/json-schema/json-value";
import { nameWords, numberOf, ordinalOf, stem, unquote } from "./language";

/** An agent while orders are applied to it. */
export interface EditedAgent {
  name: string;
  description: string;
  skill: string;
  config: JsonObject;
  autonomy: string;
}

/** What came of an order: what was done, or why it was not although it was understood. */
export type Applied = { done: string } | { refused: string };
/** One kind of order; null when it is not of this kind, all of it. */
export type Edit = (agent: EditedAgent, order: string, models: readonly string[]) => Applied | null;

/** Sets a part of the config, if the config may be so. */
export function setConfig(agent: EditedAgent, part: JsonObject, done: string): Applied {
  const config = { ...agent.config, ...part };
  const checked = checkAgentConfig(config);
  if (!checked.ok)
    return {
      refused: checked.issues
        .map(({ path, message }) => `${path.join(".")}: ${message}`)
        .join("; "),
    };
  agent.config = config;
  return { done };
}

export function objectAt(config: JsonObject, key: string): JsonObject {
  const value = config[key];
  return isJsonObject(value) ? value : {};
}

export const REMOVE =
  "(?:remove|delete|drop|take out|take away|cut(?: out)?|get rid of|strike|erase|scrap|throw out|leave out)";

const SHIELD = 0xe000;

/**
 * An order in which no pattern meets what stands in quotes: those are “…”, and the plain signs
 * between them others that `said` turns back.
 */
export function shield(text: string): string {
  const hide = (quoted: string) =>
    `“${quoted.replace(/[\x20-\x7e]/g, (sign) => String.fromCharCode(SHIELD + sign.charCodeAt(0)))}”`;
  return text
    .replace(
      /(?<![\p{L}\p{N}])(?:["“„]([^"“”\n]{1,1000})["“”]|'([^'\n]{1,300}(?:'(?=\p{L})[^'\n]{1,300}){0,5})'(?![\p{L}\p{N}])|`([^`\n]{1,300})`)/gu,
      (_, ...found) => hide(found.slice(0, 3).find((one) => typeof one === "string") ?? ""),
    )
    .replace(/\b(?:max|min|no|nr|approx|dr|mrs?|ms|st|e\.g|i\.e|vs)\.(?= )/gi, (short) =>
      short.replace(/\.$/, String.fromCharCode(SHIELD + 46)),
    );
}

export function unshield(text: string): string {
  return text.replace(/[\uE020-\uE07E]/g, (sign) =>
    String.fromCharCode(sign.charCodeAt(0) - SHIELD),
  );
}

/** What a part of a shielded order says, without quotes around it. */
export function said(text: string): string {
  return unshield(unquote(text));
}

/** What stands behind a colon or in quotes at the end. */
export function withContent(order: string): { head: string; content: string } | null {
  const [, head, content] =
    /^([^:“]{1,400}?):\s+(.+)$/s.exec(order) ??
    /^([^:“]{1,400}?)\s*[:,]?\s*(“[^”]*”(?:(?:,? and |, |; )“[^”]*”){0,20})$/.exec(order) ??
    [];
  return head && content ? { head, content } : null;
}

/**
 * Places by number, by ordinal, or by words that one item alone holds. Every word counts; null
 * where it is not plain.
 */
export function pick(items: readonly string[], reference: string): number[] | null {
  const words = nameWords(said(reference)).filter(
    (word) => !/^(?:the|number|no|and|s|one|items?)$/.test(word),
  );
  const place = (word: string) =>
    /^(?:last|final)$/.test(word) ? items.length : (ordinalOf(word) ?? numberOf(word));
  const [first = "", second = ""] = words;
  const range =
    /\d\s?(?:to|through|till|-|–)\s?\d/.test(reference) || (words.length === 3 && second === "to");
  let places: number[] | null = null;
  if (words.length === 2 && /^(?:first|last)$/.test(first) && (numberOf(second) ?? 0) > 1) {
    const count = Math.min(numberOf(second) ?? 0, items.length + 1);
    places = Array.from({ length: count }, (_, at) =>
      first === "first" ? at + 1 : items.length - count + at + 1,
    );
  } else {
    const found = words.filter((word) => word !== "to" && word !== "through").map(place);
    if (found.length > 0 && found.every((one) => one !== null)) {
      const [from = 0, to = 0] = found;
      places = range
        ? Array.from(
            { length: Math.max(0, Math.min(to, items.length + 1) - from + 1) },
            (_, at) => from + at,
          )
        : found;
    }
  }
  if (places !== null) {
    const isThere = places.every((one) => one >= 1 && one <= items.length);
    return isThere && places.length > 0 && new Set(places).size === places.length
      ? places.map((one) => one - 1)
      : null;
  }
  const exact = items.flatMap((item, at) =>
    bareText(item) === bareText(said(reference)) ? [at] : [],
  );
  if (exact.length === 1) return exact;
  const ordinal = words
    .map((word) => (/^(?:last|final)$/.test(word) ? items.length : ordinalOf(word)))
    .find((one) => one !== null);
  const wanted = words
    .filter(
      (word) =>
        ordinalOf(word) === null &&
        !/^(?:last|final|a|an|about|that|which|on|of|for|with|where|says?|it|is|are|concerning|regarding|mention(?:s|ing)|called|named|starting|saying|beginning)$/.test(
          word,
        ),
    )
    .map(stem);
  const fits = items.flatMap((item, at) => {
    const own = nameWords(item).map(stem);
    return wanted.every((word) => own.includes(word)) &&
      (ordinal === undefined || at === (ordinal ?? 0) - 1)
      ? [at]
      : [];
  });
  return wanted.length > 0 && fits.length === 1 ? fits : null;
}

export function bareText(text: string): string {
  return nameWords(text).join(" ");
}
