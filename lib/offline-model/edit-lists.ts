import "server-only";
import { capital, numberOf, ordinalOf, quote, stem } from "./language";
import { type Applied, bareText, type Edit, pick, REMOVE, said, withContent } from "./order";
import { baseVerb, toImperative } from "./read-job";
import {
  addList,
  changeList,
  HEADINGS,
  type ItemKind,
  type List,
  listsOf,
  orderList,
  titleWords,
  underHeading,
} from "./skill-text";
import { whatLacks } from "./what-lacks";

/** Whether an item tells to do or to be something, as rules and steps do and names do not. */
function isOrder(text: string): boolean {
  const first = /^[\p{L}'’]+/u.exec(text.replace(/[*_]/g, ""))?.[0]?.toLowerCase() ?? "";
  return (
    baseVerb(first) === first ||
    /^(?:always|never|do|don['’]t|be|avoid|make|only|if|when|say|let|put|stay|treat|mention|offer|speak|go)$/.test(
      first,
    )
  );
}

/**
 * The list that is meant by its kind or by the words of its heading; all of them where it is not
 * one.
 */
function listsMeant(skill: string, phrase: string): List[] {
  const lists = listsOf(skill.split("\n"));
  const kind = kindOf(phrase);
  if (kind === null) return underHeading(lists, phrase);
  const other = HEADINGS[kind === "step" ? "rule" : "step"];
  const named = lists.filter(
    ({ title }) => HEADINGS[kind].test(title) || new RegExp(`\\b${kind}s$`, "i").test(title),
  );
  const formed = named.filter(({ isNumbered }) => isNumbered === (kind === "step"));
  if (named.length > 0) return formed.length > 0 ? formed : named;
  const loose = lists.filter(
    ({ title, isNumbered }) => isNumbered === (kind === "step") && !other.test(title),
  );
  return kind === "step"
    ? loose
    : loose.filter(
        ({ items }) => items.filter(({ text }) => isOrder(text)).length * 2 > items.length,
      );
}

function kindOf(phrase: string): ItemKind | null {
  return /^steps?$/i.test(phrase) ? "step" : /^rules?$/i.test(phrase) ? "rule" : null;
}

function severalFit(lists: readonly List[], what: string): Applied {
  return {
    refused:
      lists.length === 0
        ? `the skill has no list of ${what}`
        : `several lists fit, under ${lists.map(({ title }) => quote(title)).join(" and ")}; say which`,
  };
}

interface Meant {
  list: List;
  /** In the order that they were named. */
  at: number[];
  kind: string;
}

/**
 * The items that words mean: `step 3`, `the rule about age`, `Radio Nord from the sources`, `the
 * source Radio Nord`.
 */
function itemsMeant(skill: string, phrase: string): Meant | Applied | null {
  const bare = phrase.replace(/^(?:the|our|its) /i, "");
  if (/^“[^”]*”$/.test(bare)) {
    const whole = listsOf(skill.split("\n")).flatMap((list) =>
      list.items.flatMap(({ text }, at) =>
        bareText(text) === bareText(said(bare)) ? [{ list, at: [at], kind: "item" }] : [],
      ),
    );
    return whole.length === 1 ? (whole[0] ?? null) : null;
  }
  const [, before = "", kind = "", after = ""] =
    /^(?:(.{1,300}?)\s+)?(steps?|rules?)(?:\s+(.{1,300}))?$/i.exec(bare) ?? [];
  const [, name = "", heading = ""] =
    /^(?:(?:item|entry|point|bullet|line) )?(.{1,300}?) (?:from|in|of|on|under) (?:the |our |its )?(?:list of )?([^“”]{1,80}?)(?: list| section)?$/i.exec(
      bare,
    ) ?? [];
  const [, noun = "", own = ""] = /^(\p{L}+) (.{1,300})$/u.exec(bare) ?? [];
  const ways = [
    [kind, `${before} ${after}`],
    [heading, name],
    [noun, own],
  ];
  for (const [what = "", reference = ""] of ways) {
    if (what === "") continue;
    const lists = listsMeant(skill, what);
    if (lists.length === 0 && kindOf(what) === null) continue;
    const found = lists.flatMap((list) => {
      const own =
        what === kind
          ? reference.replace(/[\p{L}]+/gu, (word) =>
              titleWords(list.title).includes(stem(word)) ? " " : word,
            )
          : reference;
      const at = pick(
        list.items.map(({ text }) => text),
        own,
      );
      return at ? [{ list, at, kind: kindOf(what) ?? "item" }] : [];
    });
    if (found.length === 1 && (lists.length === 1 || !/^[\s\d]*$/.test(reference)))
      return found[0] ?? null;
    if (lists.length > 1) return severalFit(lists, what);
    if (what === kind || what === heading)
      return {
        refused: `there is no one ${kindOf(what) ?? "item"} that it means${shownItems(lists)}`,
      };
  }
  return null;
}

function shownItems([list]: readonly List[]): string {
  return list
    ? `; there are ${list.items.map(({ text }) => quote(text.slice(0, 60))).join(", ")}`
    : "";
}

/** The text of a new item; what was quoted stands as it was quoted. */
function itemText(content: string): string {
  return /^“[^”]*”$/.test(content) ? said(content) : toImperative(said(content));
}

const QUOTES = /^(?:“[^”]*”(?:,? and |, |; )?)+$/;

const ADD = "(?:add|insert|append|include|put|introduce|create)(?: in)?";
const EDGE =
  "(?:at|to|in) the (?:very )?(end|bottom|start|beginning|top|front)(?: of (?:the |its )?(?:list|steps|rules|procedure|skill))?";
const ADD_HEAD = new RegExp(
  `^${ADD} (?:as )?(?:(?:an?|another|one more|the|these|this|two|three|four|five|some|\\d+) )?(?:(?:more|new|further|extra|additional|following) )*(?:(\\w+) )?(steps?|rules?)(?: (?:number |no\\.? ?)?(\\d+))?(?:,? (?:${EDGE}|(?:right |directly |just )?(before|after) (.+)|as (?:the )?(?:number )?(\\w+)(?: (?:step|rule|one))?|between (?:steps? |rules? )?(\\w+) and (?:step |rule )?(\\w+)|(?:to|in|under) (?:the )?(.+?)(?: section| list)?))?$`,
  "i",
);

export const addItem: Edit = (agent, order) => {
  const parts = quotedWithin(order) ?? withContent(order) ?? looseContent(order);
  const found = parts && ADD_HEAD.exec(parts.head);
  if (!parts || !found) return null;
  const [, said_, noun = "", number, edge, relation, reference, as, between, and, under] = found;
  const isPlace =
    /^(?:last|final)$/i.test(said_ ?? "") ||
    (ordinalOf(said_ ?? "") ?? numberOf(said_ ?? "")) !== null;
  const [ordinal, heading] = isPlace ? [said_, under] : [undefined, under ?? said_];
  const kind = /^step/i.test(noun) ? "step" : "rule";
  const lists = listsMeant(
    agent.skill,
    heading && !/^(?:list|skill|end)$/i.test(heading) ? heading : kind,
  );
  if (lists.length > 1 || (lists.length === 0 && heading))
    return severalFit(lists, heading ?? `${kind}s`);
  const items = lists[0]?.items.map(({ text }) => text) ?? [];
  const word = (ordinal ?? as ?? number)?.toLowerCase();
  if (
    word !== undefined &&
    /^(?:last|final)$/.test(word) === false &&
    (ordinalOf(word) ?? numberOf(word)) === null
  )
    return null;
  let at: number | null = items.length;
  if (word !== undefined && !/^(?:last|final)$/.test(word))
    at = (ordinalOf(word) ?? numberOf(word) ?? 1) - 1;
  else if (edge) at = /^(?:end|bottom)$/i.test(edge) ? items.length : 0;
  else if (between)
    at = Number(numberOf(and ?? "")) === Number(numberOf(between)) + 1 ? numberOf(between) : null;
  else if (relation) {
    const place = pick(items, (reference ?? "").replace(/\b(?:step|rule)\b/i, ""))?.[0];
    at = place === undefined ? null : relation.toLowerCase() === "after" ? place + 1 : place;
  }
  if (at === null || at < 0 || at > items.length)
    return { refused: `there is no such place among the ${items.length} ${kind}s` };
  const texts =
    QUOTES.test(parts.content) && /s$/i.test(noun)
      ? (parts.content.match(/“[^”]*”/g) ?? []).map(itemText)
      : [itemText(parts.content)];
  if (
    /^(?:two|three|four|five|\d+)$/i.test(/^\w+ (\w+)/.exec(parts.head)?.[1] ?? "") &&
    texts.length < 2
  )
    return { refused: "put each of them in quotes" };
  const [list] = lists;
  agent.skill = list
    ? changeList(agent.skill, list, at, 0, texts)
    : addList(agent.skill, kind, texts);
  return {
    done: texts
      .map((text, place) => `Added ${kind} ${(at ?? 0) + place + 1}: ${quote(text)}.`)
      .join(" "),
  };
};

/** `Add a step “…” at the end`, `add “…” as the first rule`. */
function quotedWithin(order: string): { head: string; content: string } | null {
  const [, head, content, place] =
    /^([^“:]{1,200}?) (“[^”]*”),? ((?:at|to|before|after|as|between|in|under) [^“:]{1,200})$/i.exec(
      order,
    ) ?? [];
  return head && content
    ? { head: `${head} ${place}`.replace(/^(\w+) as (?:an? |the )/i, "$1 the "), content }
    : null;
}

/** `Add a step to check the units after step 2`. */
function looseContent(order: string): { head: string; content: string } | null {
  const [, head = "", link = "", content = ""] =
    new RegExp(
      `^(${ADD} (?:an? |another |one more |the )?(?:(?:new|further|extra|final|last|first|\\w+(?:nd|rd|th)) ){0,2}(?:step|rule))(?:,| (that|to|which|saying))? (.+)$`,
      "is",
    ).exec(order) ?? [];
  const [, what = content, place = ""] =
    /^(.+?)( (?:before|after) (?:the )?(?:(?:last|first|final|\w+(?:nd|rd|th)) )?(?:step|rule)(?: \w+)?| at the (?:end|bottom|start|beginning|top))$/is.exec(
      content,
    ) ?? [];
  const isText =
    isOrder(what) ||
    (link !== "" && baseVerb(/^\S+/.exec(what)?.[0] ?? "") !== null) ||
    /^that$/i.test(link);
  return head && isText ? { head: head + place, content: what } : null;
}

/** `Add Kanal 9 to the sources`: an item of the one list under that heading. */
export const addToList: Edit = (agent, order) => {
  const [, content = "", place, heading = "", end] =
    new RegExp(
      `^${ADD} ([^:]{1,1000}?)(?: as the (first|last) (?:bullet(?: point)?|item|entry|point|line))? (?:to|into|on|under) (?:the |our |its )?(?:list of )?([^:“”]{1,80}?)(?: list| section)?(?: ${EDGE})?$`,
      "i",
    ).exec(order) ?? [];
  const lists = heading === "" ? [] : listsMeant(agent.skill, heading);
  const [list] = lists;
  if (!list) return null;
  if (lists.length > 1) return severalFit(lists, heading);
  const text = kindOf(heading.replace(/s$/, "")) ? itemText(content) : said(content);
  if (list.items.some((item) => bareText(item.text) === bareText(text)))
    return { refused: `${quote(list.title)} holds it already` };
  const edge = place ?? end;
  const at = edge && !/^(?:end|bottom|last)$/i.test(edge) ? 0 : list.items.length;
  agent.skill = changeList(agent.skill, list, at, 0, [text]);
  return { done: `Added ${quote(text)} to ${quote(list.title)}.` };
};

/** `Always …`, `never …`, and last of all `also …`, which is a step. */
export const addLoose: Edit = (agent, order) => {
  const rule =
    /^(?:(?:it|the agent) (?:should|must|may) )?((?:always|never|do not|don't|make sure|ensure|avoid)\s(?!(?:mind|worry|bother)\b).+)$/is.exec(
      order,
    )?.[1];
  const step =
    /^(?:also|additionally|(?:it|the agent) should also|let it also|make it also|have it also)\s+(.+)$/is.exec(
      order,
    )?.[1];
  const kind = rule ? "rule" : "step";
  if (
    !rule &&
    (!step ||
      !isOrder(step) ||
      /^(?:add|remove|rename|change|set|use|call|turn|make|let|do|don't)\b/i.test(step))
  )
    return null;
  const lacks = rule ? undefined : whatLacks(step ?? "");
  if (lacks)
    return {
      refused: `as a step it ${lacks.startsWith("needs") ? lacks : `does nothing: ${lacks}`}`,
    };
  const lists = listsMeant(agent.skill, kind);
  if (lists.length > 1) return severalFit(lists, `${kind}s`);
  const text = toImperative(said(rule ?? step ?? ""));
  const at = lists[0]?.items.length ?? 0;
  agent.skill = lists[0]
    ? changeList(agent.skill, lists[0], at, 0, [text])
    : addList(agent.skill, kind, [text]);
  return { done: `Added ${kind} ${at + 1}: ${quote(text)}.` };
};

export const removeItem: Edit = (agent, order) => {
  const [, name, list] =
    /^(.{1,200}?) (?:is|are) (?:no longer|not) (?:an? |one of (?:the |our )?|part of (?:the |our )?|on the list of )(.{1,80}?)(?: any ?more)?$/i.exec(
      order,
    ) ?? [];
  const phrase = name
    ? `${name} from the ${list}`
    : new RegExp(`^${REMOVE} (?:the )?(.{1,500})$`, "is").exec(order)?.[1];
  const meant =
    phrase && !/\b(?:but|except|unless|if)\b/i.test(phrase)
      ? itemsMeant(agent.skill, phrase)
      : null;
  if (meant === null || !("list" in meant)) return meant;
  const gone = meant.at.map((at) => meant.list.items[at]?.text ?? "");
  for (const at of [...meant.at].sort((a, b) => b - a)) {
    const [again] = listsOf(agent.skill.split("\n")).filter(
      ({ items }) => items[0]?.start === meant.list.items[0]?.start,
    );
    agent.skill = changeList(agent.skill, again ?? meant.list, at, 1, []);
  }
  return { done: gone.map((text) => `Removed the ${meant.kind} ${quote(text)}.`).join(" ") };
};

export const replaceItem: Edit = (agent, order) => {
  const [, phrase = "", content = ""] =
    /^(?:replace|change|rewrite|update|set|make|reword|rephrase)\s+(?:the\s+)?([^:“]{1,300}?|[^:“]{0,200}“[^”]*”)\s*(?:\b(?:with|by|to|so that it says|to say|into|say|read)\b\s*:?|:)\s*(.+)$/is.exec(
      order,
    ) ??
    /^(?:the )?((?:\w+ )?(?:step|rule)(?: \w+)?) (?:should|must|shall) (?:now )?(?:be|say|read)\s*:?\s*(.+)$/is.exec(
      order,
    ) ??
    [];
  if (!/\b(?:step|rule)\b/i.test(phrase) || /\bfrom\b/i.test(phrase)) return null;
  const meant = itemsMeant(agent.skill, phrase);
  if (meant === null || !("list" in meant)) return meant;
  const [at] = meant.at;
  const isPlain =
    /^“[^”]*”$/.test(content) ||
    /:\s*$/.test(order.slice(0, order.length - content.length)) ||
    isOrder(said(content));
  if (at === undefined || meant.at.length > 1 || !isPlain)
    return { refused: `put the new text of the ${meant.kind} in quotes` };
  const text = itemText(content);
  agent.skill = changeList(agent.skill, meant.list, at, 1, [text]);
  return { done: `Replaced ${meant.kind} ${at + 1} with ${quote(text)}.` };
};

const MOVE_TO = new RegExp(
  `^(?:move|put|shift|bring|place)\\s+(.{1,300}?)\\s+(?:${EDGE}|(up|down)(?: (?:by )?one(?: (?:place|step|position))?)?|(first|last)|(before|after) (?:the )?(.{1,200})|(?:to|into|in|at) (?:the )?(?:position|place|number|spot) (\\w+)|(?:to|into|in) (?:the )?(\\w+) (?:position|place|spot))$`,
  "i",
);

export const moveItem: Edit = (agent, order) => {
  const [, pair, one, other] =
    /^(?:swap|switch|exchange|interchange)\s+(?:the )?(?:order of )?(?:the )?(steps?|rules?) (\w+) (?:and|with) (?:the )?(?:step |rule )?(\w+)(?: around)?$/i.exec(
      order,
    ) ??
    /^(?:swap|switch|exchange|interchange)\s+(?:the )?(?=.* (steps?|rules?)$)(\w+) and (?:the )?(\w+) (?:steps?|rules?)$/i.exec(
      order,
    ) ??
    [];
  const [, phrase = "", edge, way, last, relation, reference, place, nth] =
    MOVE_TO.exec(order) ?? [];
  const meant = pair
    ? itemsMeant(agent.skill, `${pair} ${one} and ${other}`)
    : phrase
      ? itemsMeant(agent.skill, phrase)
      : null;
  if (meant === null || !("list" in meant)) return meant;
  const { list, kind } = meant;
  const places = list.items.map((_, at) => at);
  const [from = 0, with_ = 0] = meant.at;
  if (pair)
    places.splice(
      0,
      places.length,
      ...places.map((at) => (at === from ? with_ : at === with_ ? from : at)),
    );
  else {
    const position = place ?? nth;
    const end = list.items.length - 1;
    const beside = relation
      ? pick(
          list.items.map(({ text }) => text),
          (reference ?? "").replace(/\b(?:step|rule)\b/i, ""),
        )?.[0]
      : undefined;
    const to = edge
      ? /^(?:end|bottom)$/i.test(edge)
        ? end
        : 0
      : way
        ? from + (/up/i.test(way) ? -1 : 1)
        : last
          ? /last/i.test(last)
            ? end
            : 0
          : position
            ? (numberOf(position) ?? ordinalOf(position) ?? 0) - 1
            : beside === undefined
              ? -1
              : beside + (/after/i.test(relation ?? "") ? 1 : 0) - (beside > from ? 1 : 0);
    if (meant.at.length > 1 || to < 0 || to > end || beside === from)
      return { refused: `there is no one ${kind} or place that it means${shownItems([list])}` };
    places.splice(to, 0, ...places.splice(from, 1));
  }
  const next = orderList(agent.skill, list, places);
  if (next === null) return { refused: `other text stands between the ${kind}s` };
  agent.skill = next;
  return {
    done: pair
      ? `Swapped ${kind}s ${from + 1} and ${with_ + 1}.`
      : `Moved ${kind} ${from + 1} to place ${places.indexOf(from) + 1}.`,
  };
};

/**
 * Sets the one rule of its kind, in place of the former one; false where several lists may be the
 * rules.
 */
export function setNamedRule(skill: string, kind: RegExp, rule: string): string | null {
  const lists = listsMeant(skill, "rule");
  const holding = lists.filter(({ items }) => items.some(({ text }) => kind.test(text)));
  const [list] = holding.length > 0 ? holding : lists;
  if (!list) return addList(skill, "rule", [rule]);
  if (lists.length > 1 && holding.length !== 1) return null;
  const at = list.items.findIndex(({ text }) => kind.test(text));
  return changeList(skill, list, at < 0 ? list.items.length : at, at < 0 ? 0 : 1, [capital(rule)]);
}
