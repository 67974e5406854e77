import "server-only";
import type { LoadedRun } from "@/lib/domain/execution/run/loaded-run";
import { builtInsThat, FILE_TOOLS_NAME } from "@/lib/model/agent-config/built-in-tools";
import { checkFilePath } from "@/lib/model/file-path";
import { newId } from "@/lib/platform/ids";
import { postgres } from "@/lib/platform/postgres";
import { readSpoiledPath } from "@/lib/runtime/tools/file-tools";
import type { RuntimeTool } from "@/lib/runtime/tools/tool";
import { prisma } from "@/lib/storage/prisma";

/**
 * Tools whose results come from within: the account's files and notes, and what the model said
 * itself. All others tell what somebody outside wrote.
 */
const WITHIN: readonly string[] = [
  FILE_TOOLS_NAME,
  ...builtInsThat(({ within }) => within === true),
];
/** Longer than a run may take, with what it waits for people. */
const RUN_MAX_MS = 40 * 86_400_000;

const OVERWRITES =
  "This would change, replace or delete a file that a person put into the workspace, and " +
  "what it held is not kept. The model has read what somebody outside wrote (the web, a " +
  "connector), which may have told it to.";

/**
 * A tool for files as a run has it: where something from outside was read, a page may have told the
 * model to spoil the account's files. To change, replace or delete one that a person put into the
 * workspace then wants a person's word. What runs wrote themselves, runs may write again; under
 * `full_auto` nobody is asked.
 */
export function guardedFileTool(tool: RuntimeTool, run: LoadedRun): RuntimeTool {
  if (tool.kind === "read") return tool;
  return {
    ...tool,
    async reasonToAsk(args) {
      const path = readSpoiledPath(tool.name, args);
      if (path === null || run.workspaceId === null || run.agent?.writeAutonomy === "full_auto")
        return null;
      const spoils = (await hasReadOutside(run)) && (await isPersons(run, run.workspaceId, path));
      return spoils ? OVERWRITES : null;
    },
  };
}

async function hasReadOutside({
  id,
  accountId,
  conversationId,
  transcript,
}: LoadedRun): Promise<boolean> {
  if ([...transcript.results.values()].some(({ name }) => !WITHIN.includes(name))) return true;
  if (conversationId === null) return false;
  const { rows } = await postgres().query<{ has: boolean }>({
    name: "has-read-outside",
    text: `SELECT EXISTS (SELECT 1 FROM runs r JOIN run_tool_results s ON s.run_id = r.id
             WHERE r.conversation_id = $1 AND r.account_id = $2 AND r.id <> $3
               AND s.name <> ALL($4)) AS has`,
    values: [conversationId, accountId, id, WITHIN],
  });
  return rows[0]?.has === true;
}

/**
 * Whether a file of this path is there that no run wrote. A version that a run wrote says so; of
 * those of before it did, what a run writes a result tells,
 * which is stored right behind it; when it began is known only by how long it took, so that side is
 * not held to the moment.
 */
async function isPersons(
  { accountId }: LoadedRun,
  workspaceId: string,
  path: string,
): Promise<boolean> {
  const checked = checkFilePath(path);
  if (!checked.ok) return false;
  const file = await prisma().workspaceFile.findFirst({
    where: { accountId, workspaceId, path: checked.path },
    select: { updatedAt: true, stepKey: true },
  });
  if (!file) return false;
  if (file.stepKey !== null) return false;
  const since = newId(Math.max(0, file.updatedAt.getTime() - RUN_MAX_MS));
  const { rows } = await postgres().query<{ is_runs: boolean }>({
    name: "is-file-of-run",
    text: `SELECT EXISTS (SELECT 1 FROM runs r JOIN run_tool_results s ON s.run_id = r.id
             WHERE r.account_id = $1 AND r.workspace_id = $2 AND r.id > $4 AND s.name = $6
               AND s.succeeded
               AND s.output ->> 'path' = $3 AND s.output ? 'size_bytes'
               AND $5::timestamptz BETWEEN s.started_at - interval '5 s'
               AND s.created_at) AS is_runs`,
    values: [accountId, workspaceId, checked.path, since, file.updatedAt, FILE_TOOLS_NAME],
  });
  return rows[0]?.is_runs !== true;
}
