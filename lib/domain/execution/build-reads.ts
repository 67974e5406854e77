import "server-only";
import { draftOf } from "@/lib/domain/execution/build-draft";
import type { LoadedAgent, LoadedRun } from "@/lib/domain/execution/load-run";
import type { ToolCall, ToolResult } from "@/lib/domain/execution/tool-call";
import { diffLines } from "@/lib/model/diff-lines";
import { LIST_VERSIONS_TOOL } from "@/lib/runtime/prompts/agent-tools";
import { prisma } from "@/lib/storage/prisma";

/** What a build's model may look at while it works; null for a call of anything else. */
export async function readForBuild(run: LoadedRun, call: ToolCall): Promise<ToolResult | null> {
  if (call.name === LIST_VERSIONS_TOOL.name && run.agent) return listVersions(run, run.agent, call);
  return null;
}

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
