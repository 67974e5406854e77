import "server-only";
import { rowsOf } from "./edit-facts";
import { keywordsOf, nameWords, quote, stem, unquote } from "./language";
import { type Applied, type Edit, REMOVE, said, withContent } from "./order";
import {
  addSection,
  appendTo,
  changeList,
  type List,
  listsOf,
  type Section,
  sectionsOf,
  titleWords,
  underHeading,
} from "./skill-text";

function sectionMeant(skill: string, words: string): Section | Applied {
  const sections = sectionsOf(skill.split("\n"));
  const [section, another] = underHeading(sections, said(words));
  return section && !another
    ? section
    : {
        refused: `there is no one section ${quote(said(words))}; there are ${sections.map(({ title }) => quote(title)).join(", ") || "none"}`,
      };
}

/** The list that a section is, to its end: what is added there is one more item of it. */
function listAtEnd(lines: readonly string[], section: Section): List | undefined {
  const next =
    sectionsOf([...lines]).find(({ start }) => start > section.start)?.start ?? lines.length;
  return listsOf([...lines]).find(({ items }) => {
    const [first, last] = [items[0], items.at(-1)];
    return (
      first &&
      last &&
      first.start > section.start &&
      last.end <= next &&
      lines.slice(last.end, next).every((line) => line.trim() === "")
    );
  });
}

export const renameHeading: Edit = (agent, order) => {
  const [, before = "", after = "", name = ""] =
    /^(?:rename|retitle|change)\s+(?:the )?(?:(?:heading|section|headline|title of the section)\s+(.{1,100}?)|(.{1,100}?)\s+(?:heading|section|headline))\s+(?:in)?to\s+(.{1,100})$/i.exec(
      order,
    ) ?? [];
  if (name === "") return null;
  const section = sectionMeant(agent.skill, before || after);
  if (!("start" in section)) return section;
  const lines = agent.skill.split("\n");
  lines[section.start] = (lines[section.start] ?? "").replace(
    /^(#+\s+).*$/,
    (_, signs: string) => signs + said(name),
  );
  agent.skill = lines.join("\n");
  return { done: `Renamed the heading ${quote(section.title)} to ${quote(said(name))}.` };
};

const REMOVE_SECTION = new RegExp(
  `^${REMOVE}\\s+(?:the |our )?(?:whole |entire |complete )?(?:section (?:about |on |called |named |titled |with the title )?([^,]{1,100}?)|([^,]{1,100}?) section)(?:,? but (?:leave|keep) (?:the )?(.{1,100}))?$`,
  "i",
);

export const removeSection: Edit = (agent, order) => {
  const [, one, other, keep] = REMOVE_SECTION.exec(order) ?? [];
  const words = one ?? other;
  if (!words || /\b(?:from|in|of|step|rule|row)\b/i.test(words)) return null;
  const section = sectionMeant(agent.skill, words);
  if (!("start" in section)) return section;
  const lines = agent.skill.split("\n");
  const wanted = keep
    ? keywordsOf(said(keep)).filter((word) => word !== "lin" && word !== "sentenc")
    : [];
  const kept =
    wanted.length === 0
      ? []
      : lines
          .slice(section.start + 1, section.end)
          .filter((line) => wanted.every((word) => keywordsOf(line).includes(word)));
  if (keep && kept.length !== 1)
    return { refused: `there is no one line ${quote(said(keep))} in the section` };
  const next = [
    ...lines.slice(0, section.start),
    ...kept,
    ...(kept.length > 0 && section.end < lines.length ? [""] : []),
    ...lines.slice(section.end),
  ];
  if (next.every((line) => line.trim() === "" || /^#/.test(line)))
    return { refused: "nothing would be left of the skill" };
  agent.skill = section.end < lines.length ? next.join("\n") : `${next.join("\n").trimEnd()}\n`;
  return { done: `Removed the section ${quote(section.title)}.` };
};

/** `Add a section called Payment with the text: …`, and text for the one that is there. */
export const addToSection: Edit = (agent, order) => {
  const parts = withContent(order);
  if (parts === null) return null;
  const text = /^“[^”]*”$/.test(parts.content) ? said(parts.content) : said(parts.content).trim();
  const [, name] =
    /^(?:add|insert|append|create)\s+(?:an? |another |the )?(?:new )?(?:section|chapter|heading)\s+(?:(?:called|named|titled|about|on|with the (?:title|heading)) )?(.{1,80}?)(?: at the (?:end|bottom))?(?:,? (?:with|and|that|which)? ?(?:the |this )?(?:text|content|words?|says?|saying|reads?))?$/i.exec(
      parts.head,
    ) ?? [];
  if (name !== undefined) {
    if (/\b(?:before|after|above|below|at the|under)\b/i.test(name))
      return { refused: "a new section is added at the end" };
    if (underHeading(sectionsOf(agent.skill.split("\n")), said(name)).length > 0)
      return { refused: `there is a section ${quote(said(name))} already` };
    agent.skill = addSection(agent.skill, said(name), text);
    return { done: `Added the section ${quote(said(name))}.` };
  }
  const [, to, set] =
    /^(?:add|append)\s+(?:the (?:text|sentence|line) |a (?:sentence|line|paragraph) |this |text )?to\s+(?:the )?(.{1,80}?) section$/i.exec(
      parts.head,
    ) ??
    /^()(?:change|set|replace|rewrite|update)\s+(?:the )?(?:text of the )?(.{1,80}?) section(?: to| with| by)?$/i.exec(
      parts.head,
    ) ??
    [];
  if (!to && !set) return null;
  const section = sectionMeant(agent.skill, to || set || "");
  if (!("start" in section)) return section;
  const lines = agent.skill.split("\n");
  const smaller = sectionsOf(lines).some(
    ({ start }) => start > section.start && start < section.end,
  );
  if (set && smaller)
    return {
      refused: `${quote(section.title)} has sections within; name the one that is to change`,
    };
  const rest = lines.slice(section.end);
  const list = set ? undefined : listAtEnd(lines, section);
  agent.skill = set
    ? [...lines.slice(0, section.start + 1), "", text, "", ...rest].join("\n")
    : list
      ? changeList(agent.skill, list, list.items.length, 0, [text])
      : appendTo(agent.skill, section, text);
  return {
    done: set
      ? `Set the text of the section ${quote(section.title)}.`
      : `Added to the section ${quote(section.title)}: ${quote(text)}.`,
  };
};

interface Table {
  title: string;
  header: string[];
  /** The lines of its rows, with their cells. */
  rows: { line: number; cells: string[] }[];
}

function tablesOf(skill: string): Table[] {
  const lines = skill.split("\n");
  const sections = sectionsOf(lines);
  const tables = new Map<number, Table>();
  for (const [at, found] of rowsOf(lines)) {
    const table = tables.get(found.start) ?? {
      title: sections.filter(({ start, end }) => start < at && at < end).at(-1)?.title ?? "",
      header: found.header,
      rows: [],
    };
    table.rows.push({ line: at, cells: found.row });
    tables.set(found.start, table);
  }
  return [...tables.values()];
}

/** The one table, or the one whose heading or header holds the words. */
function tableMeant(skill: string, words: string | undefined): Table | Applied {
  const tables = tablesOf(skill);
  const wanted = titleWords(words ?? "");
  const fits = tables.filter(({ title, header }) => {
    const own = titleWords(`${title} ${header.join(" ")}`);
    return wanted.every((word) => own.includes(word));
  });
  const [table, another] = fits;
  return table && !another
    ? table
    : { refused: `there is no one table ${quote(said(words ?? ""))}` };
}

const IN_TABLE = "(?: (?:from|in|of|to) (?:the )?(?:(.{1,60}?) )?table)";

export const removeRow: Edit = (agent, order) => {
  const [, one, two, three, intoOne, intoTwo, intoThree] =
    new RegExp(
      `^${REMOVE}\\s+(?:the )?(?:row (?:for |of |about |with |on |called )?(?:the )?([^,]{1,100}?)|([^,]{1,100}?) row|([^,]{1,100}?)(?=${IN_TABLE}$| from the [^,]{1,60}$))(?:${IN_TABLE}| from the (.{1,60}))?$`,
      "i",
    ).exec(order) ?? [];
  const key = one ?? two ?? three;
  if (!key) return null;
  const table = tableMeant(agent.skill, intoOne ?? intoTwo ?? intoThree);
  // `Drop boxing from the courses` may mean a list.
  if (!("rows" in table)) return /\b(?:row|table)\b/i.test(order) ? table : null;
  const wanted = nameWords(said(key)).map(stem).join(" ");
  const fits = table.rows.filter(
    ({ cells }) =>
      nameWords(cells[0] ?? "")
        .map(stem)
        .join(" ") === wanted,
  );
  const [row] = fits;
  if (!row || fits.length > 1)
    return {
      refused: `there is no one row ${quote(said(key))}; there are ${table.rows.map(({ cells }) => quote(cells[0] ?? "")).join(", ")}`,
    };
  agent.skill = agent.skill
    .split("\n")
    .filter((_, at) => at !== row.line)
    .join("\n");
  return { done: `Removed the row ${quote(row.cells[0] ?? "")}.` };
};

export const addRow: Edit = (agent, order) => {
  const parts =
    /^(.{1,200}?):\s+(.{1,400})$/s.exec(order) ??
    /^(.{1,200}? table),? with (.{1,400})$/s.exec(order);
  if (!parts) return null;
  const [, plain, table1, named, table2] =
    new RegExp(
      `^(?:add|insert|put|include)\\s+(?:(?!an? row|the row)(.{1,80}?)(?:${IN_TABLE})|(?:an? |another |the )?(?:new )?row(?: for (?:the )?(.{1,80}?))?(?:${IN_TABLE})?)$`,
      "i",
    ).exec(parts[1] ?? "") ?? [];
  if (plain === undefined && !/\brow\b/i.test(parts[1] ?? "")) return null;
  const table = tableMeant(agent.skill, table1 ?? table2);
  if (!("rows" in table)) return table;
  const key = plain ?? named;
  const given = (parts[2] ?? "").split(/\s*\|\s*|\s*,\s*(?:and\s+)?|\s+and\s+/).filter(Boolean);
  const columns = key === undefined ? table.header : table.header.slice(1);
  const values = columns.map(() => "");
  const shown = {
    refused: `the table has the columns ${table.header.map(quote).join(", ")}; give one value for each`,
  };
  if (given.length !== columns.length) return shown;
  const loose: string[] = [];
  for (const value of given) {
    const at = columns.findIndex((column) =>
      nameWords(value)
        .map(stem)
        .some((word) => titleWords(column).includes(word)),
    );
    if (at >= 0 && values[at] === "") values[at] = cellText(value, columns[at] ?? "", agent.skill);
    else loose.push(value);
  }
  for (const value of loose) values[values.indexOf("")] = cellText(value, "", agent.skill);
  const cells = key === undefined ? values : [said(key), ...values];
  const last = table.rows.at(-1);
  const known = agent.skill.split("\n");
  if (!last || cells.some((cell) => cell === "" || cell.includes("|"))) return shown;
  if (table.rows.some((row) => row.cells[0]?.toLowerCase() === cells[0]?.toLowerCase()))
    return { refused: `there is a row ${quote(cells[0] ?? "")} already` };
  const widths = (known[last.line] ?? "")
    .trim()
    .replace(/^\||\|$/g, "")
    .split("|")
    .map((cell) => cell.length - 2);
  const indent = /^\s*/.exec(known[last.line] ?? "")?.[0] ?? "";
  known.splice(
    last.line + 1,
    0,
    `${indent}| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(" | ")} |`,
  );
  agent.skill = known.join("\n");
  return { done: `Added the row ${quote(cells.join(" | "))}.` };
};

/**
 * `42 euros` and `10 minutes` without a unit that the column or the skill says anyway. Empty where
 * a word would be lost.
 */
function cellText(value: string, column: string, skill: string): string {
  const bare = unquote(said(value).trim());
  const [, figure, unit = ""] =
    /^(?:[\p{L}\s]{0,30}?\s)?(\d[\d.,:]*%?)(?:\s+(\p{L}+))?$/u.exec(bare) ?? [];
  if (figure === undefined) {
    // `cooled yes` in the column “cooled”.
    const [, first = "", rest = ""] = /^(\p{L}+):?\s+(.+)$/u.exec(bare) ?? [];
    return titleWords(column).join(" ") === stem(first.toLowerCase()) ? rest : bare;
  }
  const lead = bare.slice(0, bare.indexOf(figure)).trim();
  const known = (word: string) =>
    word === "" ||
    titleWords(column).includes(stem(word.toLowerCase())) ||
    keywordsOf(skill).includes(keywordsOf(word)[0] ?? "") ||
    /^(?:euros?|dollars?|pounds?)$/i.test(word);
  return known(unit) && (lead === "" || known(lead)) ? figure : bare;
}
