import "server-only";
import { draftOf } from "@/lib/domain/execution/build-draft";
import { workspacePort } from "@/lib/domain/execution/dispatch-tool";
import type { LoadedAgent, LoadedRun } from "@/lib/domain/execution/load-run";
import { secretRedactor } from "@/lib/domain/execution/secret-redactor";
import type { ToolCall, ToolResult } from "@/lib/domain/execution/tool-call";
import { diffLines } from "@/lib/model/diff-lines";
import { LIST_VERSIONS_TOOL, READ_GUIDE_TOOL, READ_WORKSPACE_TOOL } from "@/lib/runtime/prompts/agent-tools";
import { GUIDE_TOPICS, guideOf } from "@/lib/runtime/prompts/guides";
import { ToolFailure } from "@/lib/runtime/tools/tool";
import { prisma } from "@/lib/storage/prisma";

/** What a build's model may look at while it works; null for a call of anything else. */
export async function readForBuild(run: LoadedRun, call: ToolCall): Promise<ToolResult | null> {
  if (call.name === LIST_VERSIONS_TOOL.name && run.agent) return listVersions(run, run.agent, call);
  if (call.name === READ_GUIDE_TOOL.name) return readGuide(call);
  if (call.name === READ_WORKSPACE_TOOL.name) return readWorkspace(run, call);
  return null;
}

function readGuide(call: ToolCall): ToolResult {
  const parsed = READ_GUIDE_TOOL.schema.safeParse(call.input);
  if (!parsed.success) return failed(`topic: must be one of ${GUIDE_TOPICS.join(", ")}.`);
  return { succeeded: true, output: guideOf(parsed.data.topic) };
}

const FILES_SHOWN = 100;
const HEADS_SHOWN = 10;
const HEAD_MAX_BYTES = 600;
const FILE_MAX_BYTES = 8_000;

/** A workspace's files, as any run that is bound to it reads them; no secret of the account is left in what is shown. */
async function readWorkspace(run: LoadedRun, call: ToolCall): Promise<ToolResult> {
  const parsed = READ_WORKSPACE_TOOL.schema.safeParse(call.input);
  if (!parsed.success) return failed("The arguments do not fit: name is the workspace's name, path that of one of its files.");
  const { name, path } = parsed.data;
  const workspace = await prisma().workspace.findFirst({
    select: { id: true },
    where: { accountId: run.accountId, name },
    orderBy: { id: "desc" },
  });
  const port = workspace && workspacePort({ accountId: run.accountId, workspaceId: workspace.id });
  if (!port) return failed("There is no workspace of this name.");
  const { results } = await secretRedactor(run.accountId, run.secrets);
  const begin = async (file: string, maxBytes: number) => results.redact((await port.read(file, { offset: 0, maxBytes })).text);
  try {
    if (path !== undefined) return { succeeded: true, output: { path, text: await begin(path, FILE_MAX_BYTES) } };
    const files = (await port.list("")).slice(0, FILES_SHOWN);
    const shown = files.map(async (file, index) => ({
      ...file,
      ...(index < HEADS_SHOWN && !file.path.match(BINARY) && { begins: await begin(file.path, HEAD_MAX_BYTES) }),
    }));
    return { succeeded: true, output: { files: await Promise.all(shown) } };
  } catch (error) {
    if (error instanceof ToolFailure) return failed(error.message);
    throw error;
  }
}

const BINARY = /\.(?:png|jpe?g|gif|webp|pdf|zip|gz|xlsx?|docx?|pptx?|mp[34]|wav|woff2?|ttf|parquet|sqlite)$/i;

const VERSIONS_SHOWN = 20;
const DIFF_MAX_CHARACTERS = 20_000;

async function listVersions(run: LoadedRun, agent: LoadedAgent, call: ToolCall): Promise<ToolResult> {
  const parsed = LIST_VERSIONS_TOOL.schema.safeParse(call.input);
  if (!parsed.success) return failed("compare_with: must be the number of a version.");
  const select = { number: true, version: true, source: true, releaseNote: true, createdAt: true } as const;
  const rows = await prisma().agentVersion.findMany({
    select,
    where: { agentId: agent.id, agent: { accountId: run.accountId } },
    orderBy: { number: "desc" },
    take: VERSIONS_SHOWN,
  });
  const versions = rows.map(({ number, version, source, releaseNote, createdAt }) => ({
    number,
    version,
    source,
    note: releaseNote,
    created_at: createdAt.toISOString(),
  }));
  const number = parsed.data.compare_with;
  if (number === undefined) return { succeeded: true, output: { versions } };
  const old = await prisma().agentVersion.findFirst({ where: { agentId: agent.id, number, agent: { accountId: run.accountId } } });
  if (!old) return failed(`The agent has no version number ${number}.`);
  const now = (await draftOf(run))?.state ?? agent;
  return { succeeded: true, output: { versions, changed_since: { number, diff: cut(textDiff(partsOf(old), partsOf(now))) } } };
}

interface Parts {
  name: string;
  description: string | null;
  writeAutonomy: string;
  skillContent: string;
  configContent: string;
  dashboardTemplate: unknown;
}

function partsOf({ name, description, writeAutonomy, skillContent, configContent, dashboardTemplate }: Parts): [string, string][] {
  return [
    ["name", name],
    ["description", description ?? ""],
    ["write_autonomy", writeAutonomy],
    ["skill_content", skillContent],
    ["config_content", configContent],
    ["dashboard_template", dashboardTemplate === null ? "" : JSON.stringify(dashboardTemplate, null, 1)],
  ];
}

/** The lines that went and came, part by part, in the form that patches have. */
function textDiff(before: [string, string][], after: [string, string][]): string {
  return before
    .flatMap(([part, text], index) => {
      const [old, now] = [text.split("\n"), (after[index]?.[1] ?? "").split("\n")];
      const hunks = diffLines(old, now).map(({ from, to, lines }) =>
        [`@@ line ${from + 1}`, ...old.slice(from, to).map((line) => `-${line}`), ...lines.map((line) => `+${line}`)].join("\n"),
      );
      return hunks.length > 0 ? [`## ${part}\n${hunks.join("\n")}`] : [];
    })
    .join("\n");
}

function cut(text: string): string {
  return text.length <= DIFF_MAX_CHARACTERS ? text || "Nothing." : `${text.slice(0, DIFF_MAX_CHARACTERS)}\n… (cut)`;
}

function failed(error: string): ToolResult {
  return { succeeded: false, output: { error } };
}
