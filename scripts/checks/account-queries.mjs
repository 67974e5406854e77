import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

/**
 * The TypeScript files below `folders` of `root` that are the product: no tests, nothing generated.
 * @param {string} root
 * @param {string[]} folders
 */
export function sourceFiles(root, folders) {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter(
        (entry) =>
          entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.test\.tsx?$/.test(entry.name),
      )
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => !/\/(generated|test)\//.test(path)),
  );
}

/** The functions of the database. @param {string} root */
function functionFiles(root) {
  const folder = join(root, "prisma/functions");
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".sql"))
    .map((name) => join(folder, name));
}

const SCHEMA = fileURLToPath(new URL("../../prisma/schema", import.meta.url));

/**
 * Models whose rows belong to one account (they have an `accountId`), and what SQL calls their
 * tables. Rows of their children (attempts of a delivery, steps of the engine) are reached through
 * the id of their parent, which the same rule holds for.
 * @param {string} schema the text of Prisma's schema files
 */
export function ownedModels(schema) {
  const models = `\n${schema}`.split("\nmodel ").slice(1);
  return models.flatMap((text) => {
    const name = text.slice(0, text.indexOf(" "));
    const body = text.slice(0, text.indexOf("\n}"));
    if (!/^ {2}accountId +String/m.test(body)) return [];
    const table = /^ {2}@@map\("(\w+)"\)/m.exec(body)?.[1] ?? name;
    return [{ model: name.charAt(0).toLowerCase() + name.slice(1), table }];
  });
}

/** Children that are found by their parent's id often enough to be looked at themselves. */
const CHILDREN = [
  { model: "agentVersion", table: "agent_versions" },
  { model: "message", table: "messages" },
  { model: "runToolResult", table: "run_tool_results" },
  { model: "runTurn", table: "run_turns" },
  { model: "skillFile", table: "skill_files" },
  { model: "workspaceAgent", table: "workspace_agents" },
];
/**
 * Says whose account it is: a sign-in looks people up by their address, and their own changes by
 * themselves.
 */
const FINDS_THE_ACCOUNT = new Set(["user"]);

const OWNED = ownedModels(
  readdirSync(SCHEMA)
    .filter((name) => name.endsWith(".prisma"))
    .map((name) => readFileSync(join(SCHEMA, name), "utf8"))
    .join("\n"),
)
  .filter(({ model }) => !FINDS_THE_ACCOUNT.has(model))
  .concat(CHILDREN);
const OWNED_MODELS = new Set(OWNED.map(({ model }) => model));
const READS_OR_CHANGES = new RegExp(
  `\\b(?:from|join|update)\\s+(?:${OWNED.map(({ table }) => table).join("|")})\\b`,
  "i",
);
const BY_ID = /\b\w*_?id\s*=\s*(?:ANY\s*\(\s*)?\$\d/i;
/** In a function of the database: its arguments, variables and the rows of its trigger. */
const BY_VARIABLE = /\b\w*_?id\s*=\s*(?:ANY\s*\(\s*)?(?:[pv]_\w+|NEW\.|OLD\.)/i;
const PRISMA_VERBS = new Set([
  "findUnique",
  "findUniqueOrThrow",
  "findFirst",
  "findFirstOrThrow",
  "findMany",
  "count",
  "update",
  "updateMany",
  "delete",
  "deleteMany",
]);

/**
 * The statements below `root` that find rows of an account by an id alone, without the account in
 * their `where`: whoever passes a stranger's id to one of them reaches a stranger's row.
 * @param {Record<string, { statements: number, reason: string }>} exceptions
 * `{ file: { statements, reason } }`: files whose statements only ever get ids that a checked verb
 * or the engine handed on
 * @param {string} root
 * @returns one sentence for each file that breaks the rule, or whose exception is no longer exact
 */
export function findAccountlessQueries(root, exceptions) {
  const faults = [];
  const seen = new Set();
  for (const file of [...sourceFiles(root, ["lib", "app"]), ...functionFiles(root)]) {
    const path = relative(root, file);
    const text = readFileSync(join(root, path), "utf8");
    const found = path.endsWith(".sql") ? accountlessInSql(text) : accountlessIn(text, path);
    const allowed = exceptions[path]?.statements ?? 0;
    seen.add(path);
    if (found.length > allowed)
      faults.push(
        `${path} finds rows by id without their account:\n` +
          `${found.map((text) => `    ${text}`).join("\n")}`,
      );
    else if (found.length < allowed)
      faults.push(
        `${path} has ${found.length} such statements by now, not ${allowed}: correct its ` +
          "exception.",
      );
  }
  for (const path of Object.keys(exceptions))
    if (!seen.has(path)) faults.push(`${path} is gone: remove its exception.`);
  return faults;
}

/**
 * The offending statements of one source text, each shortened to a line.
 * @param {string} text
 * @param {string} [path]
 */
export function accountlessIn(text, path = "source.ts") {
  /** @type {string[]} */
  const found = [];
  /** @param {ts.Node} node */
  const visit = (node) => {
    if (
      ts.isStringLiteral(node) ||
      ts.isNoSubstitutionTemplateLiteral(node) ||
      ts.isTemplateExpression(node)
    ) {
      const sql = node.getText();
      if (isAccountless(sql)) found.push(sql.replace(/\s+/g, " ").slice(0, 140));
      if (!ts.isTemplateExpression(node)) return;
    }
    if (ts.isCallExpression(node) && isAccountlessPrisma(node))
      found.push(node.getText().replace(/\s+/g, " ").slice(0, 140));
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true));
  return found;
}

/**
 * The offending statements of a function of the database, each shortened to a line. Its parts are
 * statements too: an account that is named elsewhere in it counts for nothing.
 * @param {string} text
 */
export function accountlessInSql(text) {
  return text
    .replace(/--[^\n]*/g, "")
    .split(/;|\b(?:BEGIN|THEN|ELSE|LOOP)\b/)
    .filter((statement) => isAccountless(statement, BY_VARIABLE))
    .map((statement) => statement.replace(/\s+/g, " ").trim().slice(0, 140));
}

/** @param {string} sql @param {RegExp} [byId] */
function isAccountless(sql, byId = BY_ID) {
  return READS_OR_CHANGES.test(sql) && byId.test(sql) && !/\baccount_id\b/.test(sql);
}

/**
 * `prisma().agent.findFirst({ where: … })`, and the same of a transaction's client.
 * @param {ts.CallExpression} call
 */
function isAccountlessPrisma(call) {
  const verb = call.expression;
  if (!ts.isPropertyAccessExpression(verb) || !PRISMA_VERBS.has(verb.name.text)) return false;
  const model = verb.expression;
  if (!ts.isPropertyAccessExpression(model) || !OWNED_MODELS.has(model.name.text)) return false;
  return !/\baccountId\b/.test(call.arguments[0]?.getText() ?? "");
}
