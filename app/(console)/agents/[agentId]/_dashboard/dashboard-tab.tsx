"use client";
import { PencilLine, Settings2, Trash2 } from "lucide-react";
import { type ReactNode, useDeferredValue, useEffect, useMemo, useState } from "react";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Card, CardHeader } from "@/components/ui/card";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { EmptyState } from "@/components/ui/empty-state";
import { Textarea } from "@/components/ui/textarea";
import type { Agent } from "@/lib/client/schemas";
import { consoleApi, messageOf } from "@/lib/console/api";
import {
  type CheckedTemplateText,
  checkTemplateText,
  STARTER_TEMPLATE,
  TEMPLATE_DRAFTS,
} from "@/lib/console/dashboard/dashboard-template";
import { historyLimit } from "@/lib/console/dashboard/widget-data";
import { useConsoleMutation } from "@/lib/console/queries";
import type { TextError } from "@/lib/model/agent-config/yaml/scan-yaml";
import {
  checkDashboardTemplate,
  type DashboardTemplate,
} from "@/lib/model/dashboard/dashboard-template-schema";
import { QueryProblem } from "../../../_shared/query-problem";
import { EditDialog } from "../edit-dialogs";
import { DashboardGrid } from "./dashboard-grid";
import { useDashboardData } from "./use-dashboard-data";

const REQUEST = "Add a dashboard that shows what matters most in this agent's results.";
const CHANGE = "Change the dashboard: ";

/** The agent's results at a glance, by its template; or how to get one. */
export function DashboardTab({ agent }: { agent: Agent }) {
  const [mode, setMode] = useState<"view" | "edit" | "ask">(() =>
    TEMPLATE_DRAFTS.has(agent.agent_id) ? "edit" : "view",
  );
  // Another number is another dialog: an edit that is on its way stays in view while the dashboard
  // appears behind it.
  const [asked, setAsked] = useState({ number: 0, text: "" });
  const checked = useMemo(
    () =>
      agent.dashboard_template === null ? null : checkDashboardTemplate(agent.dashboard_template),
    [agent.dashboard_template],
  );
  const archived = agent.status === "archived";
  const view = () => setMode("view");
  const edit = () => setMode("edit");
  const ask = () => {
    setAsked({ number: asked.number + 1, text: checked === null ? REQUEST : CHANGE });
    setMode("ask");
  };
  if (mode === "edit") return <DashboardEditor agent={agent} onClose={view} />;
  return (
    <>
      {checked === null && <NoDashboard archived={archived} onAsk={ask} onWrite={edit} />}
      {checked?.ok && (
        <Dashboard template={checked.template} agent={agent}>
          {!archived && <DashboardActions onAsk={ask} onEdit={edit} />}
        </Dashboard>
      )}
      {checked?.ok === false && (
        <Alert
          tone="warning"
          title="This dashboard cannot be shown"
          action={!archived && <DashboardActions onAsk={ask} onEdit={edit} />}
        >
          Its template does not fit the schema: {checked.issues[0]?.message} Edit it, or ask for
          another.
        </Alert>
      )}
      <EditDialog
        key={asked.number}
        agentId={agent.agent_id}
        open={mode === "ask"}
        onClose={view}
        initial={asked.text}
      />
    </>
  );
}

function DashboardActions({ onAsk, onEdit }: { onAsk: () => void; onEdit: () => void }) {
  return (
    <div className="flex flex-wrap gap-2">
      <Button size="small" onClick={onAsk}>
        <PencilLine aria-hidden="true" />
        Ask for a change
      </Button>
      <Button size="small" onClick={onEdit}>
        <Settings2 aria-hidden="true" />
        Edit dashboard
      </Button>
    </div>
  );
}

interface DashboardProps {
  template: DashboardTemplate;
  agent: Agent;
  children?: ReactNode;
}

function Dashboard({ template, agent, children }: DashboardProps) {
  const { data, error, retry } = useDashboardData(agent.agent_id, historyLimit(template));
  return (
    <>
      <div className="mb-4 flex min-h-7 flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 className="min-w-0 font-semibold text-lg [overflow-wrap:anywhere]">{template.title}</h2>
        {children}
      </div>
      {error ? (
        <QueryProblem error={error} retry={retry} />
      ) : (
        <DashboardGrid template={template} data={data} agent={agent} />
      )}
    </>
  );
}

interface NoDashboardProps {
  archived: boolean;
  onAsk: () => void;
  onWrite: () => void;
}

/** What a dashboard is, and the two ways to one. */
function NoDashboard({ archived, onAsk, onWrite }: NoDashboardProps) {
  if (archived) {
    return (
      <Card aria-label="Dashboard">
        <EmptyState title="No dashboard" seed="dashboard">
          This agent was archived without one.
        </EmptyState>
      </Card>
    );
  }
  return (
    <Card aria-label="Dashboard">
      <EmptyState
        title="See this agent's results at a glance"
        seed="dashboard"
        action={
          <>
            <Button variant="primary" onClick={onAsk}>
              Ask for a dashboard
            </Button>
            <Button onClick={onWrite}>Write a template</Button>
          </>
        }
      >
        A dashboard lays out figures, charts, tables and texts from the agent's last result, its
        runs and its usage, and a button to run it again. With one, this page opens on it.
      </EmptyState>
    </Card>
  );
}

interface DashboardEditorProps {
  agent: Agent;
  onClose: () => void;
}

/** The template as text, checked while it is written, with what it will look like below. */
function DashboardEditor({ agent, onClose }: DashboardEditorProps) {
  const [text, setText] = useTemplateDraft(agent);
  const [clearing, setClearing] = useState(false);
  const deferred = useDeferredValue(text);
  const checked = useMemo(() => checkTemplateText(deferred), [deferred]);
  const close = () => {
    TEMPLATE_DRAFTS.delete(agent.agent_id);
    onClose();
  };
  const save = useSaveTemplate(agent.agent_id, close);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <Card aria-label="Dashboard template">
        <CardHeader title="Dashboard template" note="JSON or YAML; saved as a new version">
          {agent.dashboard_template !== null && (
            <Button size="small" variant="ghost" onClick={() => setClearing(true)}>
              <Trash2 aria-hidden="true" />
              Remove
            </Button>
          )}
          <Button size="small" onClick={close}>
            Cancel
          </Button>
          <Button
            size="small"
            variant="primary"
            loading={save.isPending && !clearing}
            disabled={!checked.ok || deferred !== text}
            onClick={() => checked.ok && save.mutate(checked.template)}
          >
            Save dashboard
          </Button>
        </CardHeader>
        <TemplateText text={text} checked={checked} onChange={setText} />
        {save.error && <SaveProblem error={save.error} />}
        {!checked.ok && <TemplateProblems errors={checked.errors} />}
      </Card>
      <Preview checked={checked} agent={agent} />
      <ConfirmDialog
        open={clearing}
        onOpenChange={setClearing}
        title="Remove the dashboard?"
        action="Remove dashboard"
        loading={save.isPending}
        onConfirm={() => save.mutate(null)}
      >
        The agent itself stays as it is. An earlier version of it still has the dashboard.
      </ConfirmDialog>
    </div>
  );
}

/**
 * The text as it stands: the stored template's, or what was written here before and not yet saved.
 * A reload asks before it loses that.
 */
function useTemplateDraft({
  agent_id: agentId,
  dashboard_template: stored,
}: Agent): [string, (text: string) => void] {
  const [begun] = useState(() => JSON.stringify(stored ?? STARTER_TEMPLATE, null, 2));
  const [text, setText] = useState(() => TEMPLATE_DRAFTS.get(agentId) ?? begun);
  const changed = text !== begun;
  useEffect(() => {
    if (!changed) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [changed]);
  const write = (next: string) => {
    setText(next);
    TEMPLATE_DRAFTS.set(agentId, next);
  };
  return [text, write];
}

function useSaveTemplate(agentId: string, onSaved: () => void) {
  return useConsoleMutation(
    (template: DashboardTemplate | null) =>
      consoleApi.patch("/v1/agents/{agent_id}", {
        params: { path: { agent_id: agentId } },
        body: { dashboard_template: template },
      }),
    { stale: ["/v1/agents"], done: "The dashboard was saved.", quiet: true, onSuccess: onSaved },
  );
}

interface TemplateTextProps {
  text: string;
  checked: CheckedTemplateText;
  onChange: (text: string) => void;
}

function TemplateText({ text, checked, onChange }: TemplateTextProps) {
  return (
    <Textarea
      aria-label="Template"
      aria-invalid={checked.ok ? undefined : true}
      value={text}
      onChange={(event) => onChange(event.target.value)}
      spellCheck={false}
      className="max-h-[60dvh] min-h-64 rounded-none border-0 font-mono text-xs shadow-none"
    />
  );
}

function SaveProblem({ error }: { error: Error }) {
  return (
    <Alert tone="danger" title="The dashboard was not saved" alert className="m-4">
      {messageOf(error)}
    </Alert>
  );
}

function Preview({ checked, agent }: { checked: CheckedTemplateText; agent: Agent }) {
  const [shown, setShown] = useState<DashboardTemplate | null>(
    checked.ok ? checked.template : null,
  );
  if (checked.ok && checked.template !== shown) setShown(checked.template);
  if (!shown) return null;
  return (
    <section aria-label="Preview">
      <h2 className="mb-3 font-medium text-muted text-sm">
        Preview{checked.ok ? "" : ", before the last change"}
      </h2>
      <PreviewGrid template={shown} agent={agent} />
    </section>
  );
}

function PreviewGrid({ template, agent }: { template: DashboardTemplate; agent: Agent }) {
  const { data } = useDashboardData(agent.agent_id, historyLimit(template));
  return <DashboardGrid template={template} data={data} agent={agent} />;
}

/** What keeps a template from being saved, each with its place. */
function TemplateProblems({ errors }: { errors: readonly TextError[] }) {
  return (
    <ul
      aria-label="Problems of the template"
      className="grid gap-1.5 border-line border-t px-4 py-3 text-sm"
    >
      {errors.map((error) => (
        <li
          key={`${error.line}-${error.column}-${error.message}`}
          className="text-danger [overflow-wrap:anywhere]"
        >
          <span className="font-mono text-xs">
            {error.line}:{error.column}
          </span>{" "}
          {error.path && <code className="font-mono text-xs">{error.path}</code>} {error.message}
        </li>
      ))}
    </ul>
  );
}
