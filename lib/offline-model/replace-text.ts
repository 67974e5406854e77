import "server-only";
import { wordsAs } from "./edit-facts";
import { capital, numberOf, quote } from "./language";
import { type Edit, said } from "./order";
import { listsOf, sectionsOf, underHeading } from "./skill-text";

/** `Replace X by Y everywhere`, `say X instead of Y in step 1`. */
export const replaceText: Edit = (agent, said_) => {
  if (said_.length > 2500) return null;
  const [, lead = "", scope = ""] =
    /^in (?:the )?([^,“”]{1,60}?),? (?=replace|change|say|use|write|it should|put)(.+)$/i.exec(
      said_,
    ) ?? [];
  let order = (scope || said_).replace(/^(?:it|the agent|this) (?:should|must) /i, "");
  const isAll =
    /^replace (?:all|every|each)\b|\b(?:everywhere|throughout(?: the skill)?|in all places|each time|every time|wherever it (?:stands|appears|occurs))$/i.test(
      order,
    );
  order = order
    .replace(/^replace (?:all|every|each)(?: (?:occurrences?|instances?) of)?\b/i, "replace")
    .replace(
      /,?\s+(?:everywhere|throughout(?: the skill)?|in all places|each time|every time|wherever it \w+)$/i,
      "",
    );
  const [, bare = order, tail = ""] = lead
    ? []
    : (/^(.+?”) in (?:the )?([^“”]{1,60})$/i.exec(order) ??
      /^(.+) in (?:the )?((?:step|rule) \w+|(?:\w+ ){0,3}(?:table|section|list|steps|rules|skill))$/i.exec(
        order,
      ) ??
      []);
  const NOUN = "(?:the )?(?:(?:word|phrase|text|term|sentence|wording)s? )?";
  const [, from, to] =
    new RegExp(
      `^(?:replace|swap|substitute|exchange)\\s+${NOUN}(.+?)\\s+(?:with|by|for|through)\\s+${NOUN}(.+)$`,
      "is",
    ).exec(bare) ??
    /^(?:change|correct|turn|alter|rename)\s+(?:the (?:word|phrase|text|term|sentence) )?(“[^”]*”)\s+(?:in)?to\s+(“[^”]*”)$/i.exec(
      bare,
    ) ??
    [];
  const [, into, outOf] =
    new RegExp(
      `^(?:say|use|write|put|have|spell)\\s+${NOUN}(.+?)\\s+(?:instead of|rather than|in place of|where it says)\\s+${NOUN}(.+)$`,
      "is",
    ).exec(bare) ?? [];
  // `Write dates as A instead of B`: what is written in a way is no part of it.
  const [, instead = into] = /^[^“”]{1,40}? as (.+)$/is.exec(into ?? "") ?? [];
  const [old, next] = [said(from ?? outOf ?? ""), said(to ?? instead ?? "")];
  if (
    old.length < 2 ||
    // `Write to A instead of B` holds a word more than what it replaces.
    /^(?:to|in|at|on|for|of|by|from|with) /i.test(next) ||
    (from ?? outOf) === undefined ||
    /\b(?:step|rule|section|row|starter|heading|description|model|tool|input|field|name)s?\b/i.test(
      from ?? outOf ?? "",
    )
  )
    return null;
  const where = `${lead}${tail}`.replace(/^skill$/i, "");
  const range = where === "" ? null : rangeOf(agent.skill, where);
  if (where !== "" && range === null)
    return { refused: `there is no one part ${quote(where)} of the skill` };
  const lines = agent.skill.split("\n");
  const [start, end] = range ?? [0, lines.length];
  const part = lines.slice(start, end).join("\n");
  const count = (part.match(wordsAs(old)) ?? []).length;
  const put = (text: string) =>
    text.replace(wordsAs(old), (found) =>
      /^\p{Lu}/u.test(found) && !/^\p{Lu}/u.test(old) ? capital(next) : next,
    );
  const isEverywhere = isAll && range === null;
  const others = [
    agent.description,
    ...(Array.isArray(agent.config.starters) ? agent.config.starters : []),
  ].filter((one) => typeof one === "string" && put(one) !== one);
  if (count + (isEverywhere ? others.length : 0) === 0 || (count > 1 && !isAll))
    return {
      refused: `the skill says ${quote(old)} ${count} times${where ? " there" : ""}; ${count > 1 ? "say “everywhere”, or in which step or section" : "it has to be there as it is written"}`,
    };
  agent.skill = [...lines.slice(0, start), put(part), ...lines.slice(end)].join("\n");
  if (isEverywhere) {
    agent.description = put(agent.description);
    if (Array.isArray(agent.config.starters))
      agent.config.starters = agent.config.starters.map((one) =>
        typeof one === "string" ? put(one) : one,
      );
  }
  const name =
    isEverywhere && put(agent.name) !== agent.name
      ? ` The name still says ${quote(agent.name)}; an order to rename changes it.`
      : "";
  return {
    done: `Replaced ${quote(old)} with ${quote(next)}${isEverywhere ? " in the skill, description and starters" : ""}.${name}`,
  };
};

/** The lines of a step, a rule or a section. */
function rangeOf(skill: string, phrase: string): [number, number] | null {
  const lines = skill.split("\n");
  const sections = sectionsOf(lines);
  const [, kind, number] = /^(step|rule|item) (\w+)$/i.exec(phrase) ?? [];
  if (kind) {
    const fits = listsOf(lines).filter(({ isNumbered }) => isNumbered);
    const item = fits.length === 1 ? fits[0]?.items[(numberOf(number ?? "") ?? 0) - 1] : undefined;
    return item ? [item.start, item.end] : null;
  }
  const [section, another] = underHeading(sections, phrase);
  return section && !another ? [section.start + 1, section.end] : null;
}
