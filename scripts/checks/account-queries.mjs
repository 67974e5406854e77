import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import ts from "typescript";

/**
 * The TypeScript files below `folders` of `root` that are the product: no tests, nothing generated.
 * @param {string} root
 * @param {string[]} folders
 */
export function sourceFiles(root, folders) {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.test\.tsx?$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => !/\/(generated|test)\//.test(path)),
  );
}

/**
 * Tables whose rows belong to one account, by their names in SQL. Rows of their children (turns of a run, files of a skill) are reached through
 * the id of their parent, which the same rule holds for.
 */
const OWNED_TABLES = [
  "agents",
  "agent_memories",
  "agent_versions",
  "api_keys",
  "approvals",
  "artifacts",
  "client_tool_calls",
  "conversation_summaries",
  "conversations",
  "ledger_entries",
  "mcp_connections",
  "messages",
  "notifications",
  "run_tool_results",
  "run_turns",
  "run_usage",
  "runs",
  "schedules",
  "secrets",
  "skill_files",
  "skills",
  "webhook_deliveries",
  "webhook_secrets",
  "workspace_agents",
  "workspace_files",
  "workspaces",
];
const OWNED_MODELS = new Set(OWNED_TABLES.map((table) => toModel(table)));
const READS_OR_CHANGES = new RegExp(`\\b(?:from|join|update)\\s+(?:${OWNED_TABLES.join("|")})\\b`, "i");
const BY_ID = /\b\w*_?id\s*=\s*(?:ANY\s*\(\s*)?\$\d/i;
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
 * The statements below `root` that find rows of an account by an id alone, without the account in their `where`: whoever passes a stranger's id
 * to one of them reaches a stranger's row.
 * @param {Record<string, { statements: number, reason: string }>} exceptions `{ file: { statements, reason } }`: files whose statements only ever get ids that a checked verb or the engine handed on
 * @param {string} root
 * @returns one sentence for each file that breaks the rule, or whose exception is no longer exact
 */
export function findAccountlessQueries(root, exceptions) {
  const faults = [];
  const seen = new Set();
  for (const file of sourceFiles(root, ["lib", "app"])) {
    const path = relative(root, file);
    const found = accountlessIn(readFileSync(join(root, path), "utf8"), path);
    const allowed = exceptions[path]?.statements ?? 0;
    seen.add(path);
    if (found.length > allowed)
      faults.push(`${path} finds rows by id without their account:\n${found.map((text) => `    ${text}`).join("\n")}`);
    else if (found.length < allowed)
      faults.push(`${path} has ${found.length} such statements by now, not ${allowed}: correct its exception.`);
  }
  for (const path of Object.keys(exceptions)) if (!seen.has(path)) faults.push(`${path} is gone: remove its exception.`);
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
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node) || ts.isTemplateExpression(node)) {
      const sql = node.getText();
      if (isAccountless(sql)) found.push(sql.replace(/\s+/g, " ").slice(0, 140));
      if (!ts.isTemplateExpression(node)) return;
    }
    if (ts.isCallExpression(node) && isAccountlessPrisma(node)) found.push(node.getText().replace(/\s+/g, " ").slice(0, 140));
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true));
  return found;
}

/** @param {string} sql */
function isAccountless(sql) {
  return READS_OR_CHANGES.test(sql) && BY_ID.test(sql) && !/\baccount_id\b/.test(sql);
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

/**
 * `workspace_files` → `workspaceFile`, as the Prisma schema names it.
 * @param {string} table
 */
function toModel(table) {
  return table
    .replace(/ies$/, "y")
    .replace(/s$/, "")
    .replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
}
