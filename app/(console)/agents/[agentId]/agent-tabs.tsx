"use client";
import { MessagesSquare, X } from "lucide-react";
import dynamic from "next/dynamic";
import { parseAsStringLiteral, useQueryState } from "nuqs";
import { useState } from "react";
import { formatBytes } from "@/components/format/format";
import { Markdown } from "@/components/markdown/markdown";
import { Button } from "@/components/ui/button";
import { Card, CardHeader } from "@/components/ui/card";
import { CopyButton } from "@/components/ui/copy-button";
import { Skeleton } from "@/components/ui/skeleton";
import { Tab, TabList, TabPanel, Tabs } from "@/components/ui/tabs";
import { ToggleGroup } from "@/components/ui/toggle-group";
import type { Agent } from "@/lib/client/schemas";
import { withLineEndsOf } from "@/lib/console/agent-edit/use-agent-draft";
import { useConsoleQuery } from "@/lib/console/queries";
import { reads } from "@/lib/console/reads";
import { useRunStream } from "@/lib/console/transcript/use-run-stream";
import { SKILL_CONTENT_MAX_BYTES } from "@/lib/model/limits";
import { LazyCodeEditor } from "../../_editor/lazy-editors";
import { LiveRun, useStreamEnd } from "../../_run/live-run";
import { RunForm } from "../../_run/run-form";
import { RunList } from "../../_run/run-list";
import { DashboardTab } from "./_dashboard/dashboard-tab";
import { LazyConflictView, OutdatedNotice, SaveBar, SaveProblem } from "./_editing/save-bar";
import { UnsavedGuard, UnsavedMark, useUnsavedFields } from "./_editing/unsaved";
import { useTextEditing } from "./_editing/use-text-editing";
import { SchedulesTab } from "./_schedules/schedules-tab";
import { VersionsTab } from "./_versions/versions-tab";
import { ApiTab } from "./api-tab";
import { CasesTab } from "./cases-tab";
import { MemoryTab } from "./memory-tab";
import { RememberedTab } from "./remembered-tab";

const TABS = [
  "dashboard",
  "run",
  "skill",
  "config",
  "versions",
  "runs",
  "schedules",
  "memory",
  "cases",
  "approvals",
  "api",
] as const;
const LABELS: Record<(typeof TABS)[number], string> = {
  dashboard: "Dashboard",
  run: "Run",
  skill: "Skill",
  config: "Config",
  versions: "Versions",
  runs: "Runs",
  schedules: "Schedules",
  memory: "Memory",
  cases: "Cases",
  approvals: "Approvals",
  api: "API",
};

/**
 * The agent from its sides. The side stands in the address; without one the dashboard is shown
 * where there is one.
 */
export function AgentTabs({ agentId }: { agentId: string }) {
  const [asked, setTab] = useQueryState("tab", parseAsStringLiteral(TABS));
  const { data: agent } = useConsoleQuery(reads.agent(agentId));
  const unsaved = useUnsavedFields(agentId);
  if (!agent) return null;
  const tab = asked ?? (agent.dashboard_template ? "dashboard" : "run");
  return (
    <Tabs
      value={tab}
      onValueChange={(value) => void setTab(TABS.find((name) => name === value) ?? "run")}
    >
      <TabList aria-label="Parts of the agent">
        {TABS.map((name) => (
          <Tab key={name} value={name}>
            {LABELS[name]}
            {unsaved.includes(`${name}_content`) && <UnsavedMark />}
          </Tab>
        ))}
      </TabList>
      <TabPanel value="dashboard">
        <DashboardTab agent={agent} />
      </TabPanel>
      {/* Kept while another tab is in view, so that a live run is not lost. */}
      <TabPanel value="run" forceMount className="data-[state=inactive]:hidden">
        <RunTab agent={agent} />
      </TabPanel>
      <TabPanel value="skill">
        <SkillTab agent={agent} />
      </TabPanel>
      <TabPanel value="config">
        <ConfigTab agent={agent} />
      </TabPanel>
      <TabPanel value="versions">
        <VersionsTab agent={agent} />
      </TabPanel>
      <TabPanel value="runs">
        <RunList read={reads.runs({ agent_id: agentId })} />
      </TabPanel>
      <TabPanel value="schedules">
        <SchedulesTab agent={agent} />
      </TabPanel>
      <TabPanel value="memory">
        <MemoryTab agent={agent} />
      </TabPanel>
      <TabPanel value="cases">
        <CasesTab agent={agent} />
      </TabPanel>
      <TabPanel value="approvals">
        <RememberedTab agent={agent} />
      </TabPanel>
      <TabPanel value="api">
        <ApiTab agent={agent} />
      </TabPanel>
      <UnsavedGuard agentId={agentId} />
    </Tabs>
  );
}

/** With the config's schema and YAML's parser, which no other tab needs. */
const ConfigEditor = dynamic(
  () => import("./_editing/config-editor").then((module) => module.ConfigEditor),
  {
    ssr: false,
    loading: () => <Skeleton className="h-96 rounded-lg" />,
  },
);

function ConfigTab({ agent }: { agent: Agent }) {
  return <ConfigEditor agent={agent} />;
}

/** The example requests of an agent's config. */
function startersOf({ config }: Agent): string[] {
  const { starters } = config;
  return Array.isArray(starters) ? starters.filter((text) => typeof text === "string") : [];
}

/** Runs the agent here and now, and goes on with the conversation when asked to. */
function RunTab({ agent }: { agent: Agent }) {
  const stream = useRunStream();
  const [conversationId, setConversationId] = useState<string | null>(null);
  useStreamEnd(stream.transcript);
  if (agent.status === "archived") {
    return (
      <p className="text-muted text-sm">
        An archived agent cannot be run. What it did before stands under Runs.
      </p>
    );
  }
  const { transcript, state } = stream;
  const follows =
    transcript.conversationId !== null &&
    state === "ended" &&
    conversationId !== transcript.conversationId;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-[minmax(0,22rem)_minmax(0,1fr)]">
      <Card aria-label="Inputs" className="overflow-visible p-4">
        {conversationId && <ConversationChip onEnd={() => setConversationId(null)} />}
        <RunForm
          agentId={agent.agent_id}
          schema={agent.inputs_schema}
          starters={startersOf(agent)}
          loading={state !== null && state !== "ended"}
          onRun={(body) =>
            stream.start({
              agent_id: agent.agent_id,
              ...body,
              ...(conversationId ? { conversation_id: conversationId } : {}),
            })
          }
        />
      </Card>
      <div className="min-w-0">
        {state === null && <RunPlace />}
        <LiveRun stream={stream} label="Run">
          {follows && (
            <div className="mt-5 border-line border-t pt-4">
              <Button size="small" onClick={() => setConversationId(transcript.conversationId)}>
                <MessagesSquare aria-hidden="true" />
                Continue this conversation
              </Button>
            </div>
          )}
        </LiveRun>
      </div>
    </div>
  );
}

function RunPlace() {
  return (
    <div className="grid min-h-48 place-items-center rounded-lg border border-line-strong border-dashed px-6 py-10 text-center">
      <p className="max-w-xs text-balance text-muted text-sm">
        The run appears here as it happens: what the agent says, the tools it uses, the files it
        makes.
      </p>
    </div>
  );
}

function ConversationChip({ onEnd }: { onEnd: () => void }) {
  return (
    <p className="mb-4 flex items-center gap-2 rounded-md border border-accent-line bg-accent-soft px-2.5 py-1 text-accent text-xs">
      <MessagesSquare aria-hidden="true" className="size-3.5" />
      Continues the conversation
      <button
        type="button"
        aria-label="Start a new conversation"
        onClick={onEnd}
        className="ml-auto grid size-6 place-items-center rounded-sm"
      >
        <X aria-hidden="true" className="size-3.5" />
      </button>
    </p>
  );
}

const utf8 = new TextEncoder();

/** The agent's instructions, as a page to read or as Markdown to write. */
function SkillTab({ agent }: { agent: Agent }) {
  const editing = useTextEditing(agent, "skill_content", "Skill");
  const { draft, conflict, error } = editing;
  const archived = agent.status === "archived";
  const [view, setView] = useState<"page" | "source">(draft.dirty ? "source" : "page");
  if (conflict)
    return (
      <LazyConflictView
        key={conflict.current_version_id}
        editing={editing}
        conflict={conflict}
        field="skill_content"
        what="skill"
        language="markdown"
      />
    );
  const bytes = utf8.encode(withLineEndsOf(draft.base, draft.text)).length;
  return (
    <Card aria-label="Skill" className="overflow-visible">
      <CardHeader title="Skill" note="the instructions that each run follows">
        <ToggleGroup
          label="View"
          value={view}
          options={[
            { value: "page", label: "Page" },
            { value: "source", label: archived ? "Source" : "Edit" },
          ]}
          onChange={setView}
        />
        <CopyButton text={draft.text} what="skill" />
      </CardHeader>
      {draft.outdated && <OutdatedNotice what="skill" />}
      {error && <SaveProblem error={error} />}
      {view === "page" ? (
        <div className="max-w-3xl px-5 py-5">
          <Markdown text={withoutFrontmatter(draft.text)} />
        </div>
      ) : (
        <LazyCodeEditor
          value={draft.text}
          onChange={draft.edit}
          language="markdown"
          label="Skill Markdown"
          readOnly={archived}
        />
      )}
      {!archived && (view === "source" || draft.dirty) && (
        <SaveBar
          editing={editing}
          what="skill"
          size={<Size bytes={bytes} />}
          disabledReason={disabledReasonOf(bytes)}
        />
      )}
    </Card>
  );
}

function Size({ bytes }: { bytes: number }) {
  const near = bytes > SKILL_CONTENT_MAX_BYTES * 0.9;
  return (
    <span className={near ? "text-warning tabular" : "tabular"}>
      {near
        ? `${bytes.toLocaleString("en")} of ${SKILL_CONTENT_MAX_BYTES.toLocaleString("en")} bytes`
        : `${formatBytes(bytes)} of 256 KB`}
    </span>
  );
}

function disabledReasonOf(bytes: number): string | null {
  const over = bytes - SKILL_CONTENT_MAX_BYTES;
  return over > 0 ? `Too long by ${over.toLocaleString("en")} bytes. Shorten it to save.` : null;
}

/** The head of a SKILL.md is data, not text. */
function withoutFrontmatter(skill: string): string {
  if (!skill.startsWith("---\n")) return skill;
  const end = skill.indexOf("\n---", 4);
  return end === -1 ? skill : skill.slice(end + 4).replace(/^-*\n/, "");
}
