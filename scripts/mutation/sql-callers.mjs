/**
 * Which sources set a function of the database to work: those that call it, or a function that
 * does; of a trigger's those that write its tables.
 * @param {string} name
 * @param {Map<string, string>} functions by name its text
 * @param {Map<string, string>} sources by path its text
 * @param {string} schema prisma/schema.sql
 * @returns {string[]} paths
 */
export function callersOf(name, functions, sources, schema) {
  const reached = new Set([name]);
  for (const each of reached)
    for (const [other, text] of functions)
      if (other !== each && new RegExp(`\\b${each}\\(`).test(text)) reached.add(other);
  const tables = [...reached].flatMap((each) =>
    [...schema.matchAll(/ ON public\.(\w+) [^;]*EXECUTE FUNCTION (\w+)\(/g)]
      .filter(([, , called]) => called === each)
      .map(([, table = ""]) => table),
  );
  const calls = new RegExp(`"(?:${[...reached].join("|")})"`);
  const writes =
    tables.length > 0 ? new RegExp(`\\b(?:INTO|UPDATE|FROM) (?:${tables.join("|")})\\b`) : null;
  return [...sources]
    .filter(([, text]) => (/\bcallSql\b/.test(text) && calls.test(text)) || writes?.test(text))
    .map(([path]) => path);
}
