import "server-only";

/** Verbs that requests are made of, in their base form. */
const VERBS = new Set(
  "add analyse analyze answer archive ask assess assign average build calculate categorise categorize chart check classify clean collect combine compare compile compute convert convey count create crawl curate decide delete describe design detect determine display download draft draw edit email estimate evaluate examine expand explain explore export extract fetch fill filter find fix flag follow forecast format forward gather generate get give group handle help highlight identify import improve include inform inspect investigate judge keep label learn list locate log look make manage mark match measure mention merge monitor name note notify observe order organise organize parse pick plan point post predict prepare present prioritise prioritize process produce propose provide pull quote rank rate read recommend record refer remind remove rename reply report research respond return review rewrite route run save scan schedule score search select send set share show simplify sort spot start state store structure study suggest sum summarise summarize tag take tell test total track transform translate triage turn update use validate verify visit watch work write".split(
    " ",
  ),
);

/** The base form of a verb in the third person or -ing, if it is one that requests are made of; else null. */
export function baseVerb(word: string): string | null {
  const lower = word.toLowerCase();
  if (VERBS.has(lower)) return lower;
  const candidates = lower.endsWith("ing")
    ? [lower.slice(0, -3), `${lower.slice(0, -3)}e`, lower.slice(0, -4)]
    : lower.endsWith("s")
      ? [lower.slice(0, -1), lower.slice(0, -2), `${lower.slice(0, -3)}y`]
      : [];
  return candidates.find((candidate) => VERBS.has(candidate)) ?? null;
}

/** `reads the file` as an order: `Read the file`. A clause that starts with no verb comes back with a capital only. */
export function toImperative(clause: string): string {
  const [first = "", ...rest] = clause.trim().split(/\s+/);
  const verb = baseVerb(first.replace(/[,.;:]$/, ""));
  return capital([verb ?? first, ...rest].join(" "));
}

/** `read the file` as a description: `Reads the file`. */
export function toThirdPerson(clause: string): string {
  const [first = "", ...rest] = clause.trim().split(/\s+/);
  const verb = baseVerb(first);
  if (verb === null) return capital(clause.trim());
  const inflected = /(?:s|x|z|ch|sh)$/.test(verb) ? `${verb}es` : /[^aeiou]y$/.test(verb) ? `${verb.slice(0, -1)}ies` : `${verb}s`;
  return capital([inflected, ...rest].join(" "));
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
