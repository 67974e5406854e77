import "server-only";
import { WORK_NAMED } from "./what-lacks";

/** What it reads, as an order. */
const DATA =
  /(?<=^|[.;\n]\s*)(?:data|sources?|inputs? files?|files?)\s*:\s*(?=[\w./-]+\.\w{2,5}\b)/gi;
const LABEL =
  /(?<=^|[.;\n]\s*)(?:(?:its|the|your|agent's) )?(?:purpose|goals?|aim|role|job|what it does|tone|style|background|context|situation)\s*:\s*/gi;
const BUT =
  /,?\s+(?:but|yet|however|although)\s+(?=(?:it|the agent|you|must|should|may|can|do|does|is|will|never|not|no|none|nothing|without|don't)\b)/gi;
const HEAD =
  /(?:\b(?:with|in|has|it has|these|the following|the|two|three|four|five|six|\d)\s+)*\b(?:steps?|rules?|instructions?|tasks?)\s*:\s*/gi;
const NUMBERED = /(?:^|[\s,;:.])\(?(\d{1,2})[.)]\s+(?=\p{L})/gu;

/** Lists within a line, and sentences that begin small, as sentences of their own. */
export function asSentences(text: string): string {
  const numbers = [...text.matchAll(NUMBERED)].map(([, number]) => Number(number));
  const isList = numbers.length > 1 && numbers.every((number, at) => number === at + 1);
  const listed = isList ? text.replace(NUMBERED, ". ") : text;
  return listed
    .replace(HEAD, ". ")
    .replace(DATA, "Read ")
    .replace(LABEL, "")
    .replace(BUT, ". ")
    .replace(/\s+([.,;])/g, "$1")
    .replace(/(?:[.,;:]\s*)+\./g, ".")
    .replace(/^[\s.,;]+/, "")
    .replace(
      /(?<!\b(?:e\.g|i\.e|etc|vs|approx|no|nr|p|pp|st|dr|mr|ms|mrs))([.!?])\s+(\p{Ll})/giu,
      (_, end: string, first: string) => `${end} ${first.toUpperCase()}`,
    );
}

const KEYS: { [key: string]: string } = {
  agent: "Name",
  name: "Name",
  title: "Name",
  description: "Description",
  in: "Inputs",
  input: "Inputs",
  inputs: "Inputs",
  out: "Outputs",
  output: "Outputs",
  outputs: "Outputs",
  tools: "Tools",
};

const BULLET = /^(?:[-*•–+]|\d{1,2}[.)])\s+/;
/** A heading whose lines say what must not be. */
const FORBIDS =
  /^(?:do not|don['’]ts?|never|not allowed|forbidden|must not|may not|avoid|no[- ]?gos?|out of bounds)\s*:$/i;

/** The lines of a form or a list, as sentences: without their bullets, under the usual keys. */
export function asProse(message: string): string {
  const text = joinBullets(joinHeadings(message));
  const lines = text.split("\n").map((line) => line.trim());
  if (lines.length < 2) return text;
  let isForbidden = false;
  return lines
    .map((line, at) => {
      const isBullet = BULLET.test(line);
      const bare = line.replace(/^[-*•–+]\s+/, "").replace(/^name (?=\p{Lu})/u, "Name: ");
      isForbidden = FORBIDS.test(line) || (isForbidden && isBullet);
      if (FORBIDS.test(line)) return "";
      const [, key = "", value = ""] = /^([A-Za-z]{2,12})\s*(?::|\s[-–=])\s+(.+)$/.exec(bare) ?? [];
      const named = KEYS[key.toLowerCase()];
      // `Requirements:` above a list says nothing, `Inputs:` does.
      const isHead = !isBullet && /^[^:]{1,60}:$/.test(line) && BULLET.test(lines[at + 1] ?? "");
      if (isHead && !/\b(?:inputs?|outputs?|fields?|json|returns?)\b/i.test(line))
        return WORK_NAMED.test(line) ? "Create an agent." : "";
      if (
        /^(?:please )?(?:create|make|build|i need|i want)(?: me| us)?(?: this| the following)?:$/i.test(
          line,
        )
      )
        return "";
      const said = isForbidden
        ? `Never ${bare.charAt(0).toLowerCase()}${bare.slice(1)}`
        : named
          ? `${named}: ${value}`
          : bare;
      return said === "" || /[.!?:;,]$/.test(said) ? said : `${said}.`;
    })
    .filter(Boolean)
    .join("\n");
}

/** `## Input` and the line below it, as `Input: …`; other headings without their signs. */
function joinHeadings(text: string): string {
  return text
    .replace(
      /(?<=^|\n)#{1,4} +([A-Za-z ]{2,20}?):?[ \t]*\n+(?![#\s*•–+-])/g,
      (whole, title: string) => (KEYS[title.toLowerCase()] ? `${title}: ` : whole),
    )
    .replace(/(?<=^|\n)#{1,4} +/g, "");
}

/**
 * `Inputs:` and the lines with bullets, or further in, below it, as one sentence: `Inputs: litres
 * (number, required); …`.
 */
function joinBullets(text: string): string {
  return text.replace(
    /(?<=^|\n)([^\n]{0,40}\b(?:inputs?|outputs?|fields?|json|returns?)\b[^\n:]{0,30}:)[ \t]*\n((?:(?:[ \t]*[-*•–+][ \t]+|[ \t]{2,})[^\n]+(?:\n|$))+)/gi,
    (_, head: string, lines: string) =>
      `${head} ${lines
        .split("\n")
        .map((line) => line.replace(/^\s*(?:[-*•–+]\s+)?/, "").replace(/[.,;\s]+$/, ""))
        .filter(Boolean)
        .map(asField)
        .join("; ")}.\n`,
  );
}

/** `litres: number, required` as `litres (number, required)`. */
function asField(line: string): string {
  const [, name, spec] =
    /^["“`]?([\p{L}_][\p{L}\p{N}_-]*(?: \p{L}+){0,2})["”`]?\s*(?::|=|\s[-–])\s+(.+)$/u.exec(line) ??
    [];
  return name && spec ? `${name} (${spec.replace(/\s*\(/g, ", ").replaceAll(")", "")})` : line;
}
