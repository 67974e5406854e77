import "server-only";
import { RE2JS } from "re2js";

/**
 * Patterns over whole words of a line, which begins and ends with a space and has one between any
 * two words. RE2 goes through a text once, whatever the pattern: no question costs more than it is
 * long.
 */

const KEPT_MAX = 500;
const kept = new Map<string, RE2JS>();

/** Most patterns are those of the rules; some hold words of a table's name. */
function compile(source: string): RE2JS {
  const known = kept.get(source);
  if (known) return known;
  const made = RE2JS.compile(source);
  if (kept.size >= KEPT_MAX) kept.clear();
  kept.set(source, made);
  return made;
}

/**
 * Replaces what a pattern matches, between two spaces each. `replace` is given what was found (the
 * whole, then its groups, empty where they are not there) and the rest of the line from the space
 * behind it on; null leaves it as it is.
 */
export function replaceWords(
  line: string,
  pattern: string,
  replace: (found: string[], rest: string) => string | null,
): string {
  const matcher = compile(` (?:${pattern}) `).matcher(line);
  let done = "";
  let from = 0;
  while (from < line.length && matcher.find(from)) {
    // The space behind one match may be the one before the next.
    const [start, end] = [matcher.start() + 1, matcher.end() - 1];
    const groups = Array.from({ length: matcher.groupCount() }, (_, at) => matcher.group(at + 1));
    const said = line.slice(start, end);
    const put = replace([said, ...groups.map((group) => group ?? "")], line.slice(end));
    done += line.slice(from, start) + (put ?? said);
    from = end;
  }
  return done + line.slice(from);
}

/** Whether a text begins as a pattern says. */
export function beginsWith(text: string, pattern: string): boolean {
  return compile(pattern).matcher(text).lookingAt();
}

/** What a pattern matches, whole words each. */
export function findWords(text: string, pattern: string): string[] {
  const found: string[] = [];
  replaceWords(` ${text} `, pattern, ([said = ""]) => {
    found.push(said);
    return null;
  });
  return found;
}
