"use client";
import { Trash2 } from "lucide-react";
import { useDeferredValue, useEffect, useMemo, useState } from "react";
import { Button } from "@/components/ui/button";
import { Card, CardHeader } from "@/components/ui/card";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { Notice } from "@/components/ui/notice";
import { Textarea } from "@/components/ui/textarea";
import { consolePaths } from "@/lib/console/console-paths";
import { type CheckedTemplateText, checkTemplateText } from "@/lib/console/dashboard/check-template-text";
import { historyLimit } from "@/lib/console/dashboard/history-limit";
import { STARTER_TEMPLATE } from "@/lib/console/dashboard/starter-template";
import { TEMPLATE_DRAFTS } from "@/lib/console/dashboard/template-drafts";
import { requestConsoleJson } from "@/lib/console/request-console-json";
import type { AgentRecord } from "@/lib/console/shapes/agent";
import { useConsoleMutation } from "@/lib/console/use-console-mutation";
import type { DashboardTemplate } from "@/lib/model/dashboard/dashboard-template-schema";
import { DashboardGrid } from "./dashboard-grid";
import { TemplateProblems } from "./template-problems";
import { useDashboardData } from "./use-dashboard-data";

interface DashboardEditorProps {
  agent: AgentRecord;
  onClose: () => void;
}

/** The template as text, checked while it is written, with what it will look like below. */
export function DashboardEditor({ agent, onClose }: DashboardEditorProps) {
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
            <Button size="small" look="ghost" onClick={() => setClearing(true)}>
              <Trash2 aria-hidden="true" />
              Remove
            </Button>
          )}
          <Button size="small" onClick={close}>
            Cancel
          </Button>
          <Button
            size="small"
            look="primary"
            busy={save.isPending && !clearing}
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
        busy={save.isPending}
        onConfirm={() => save.mutate(null)}
      >
        The agent itself stays as it is. An earlier version of it still has the dashboard.
      </ConfirmDialog>
    </div>
  );
}

/** The text as it stands: the stored template's, or what was written here before and not yet saved. A reload asks before it loses that. */
function useTemplateDraft({ agent_id: agentId, dashboard_template: stored }: AgentRecord): [string, (text: string) => void] {
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
      requestConsoleJson<AgentRecord>(consolePaths.agent(agentId), { method: "PATCH", body: { dashboard_template: template } }),
    { stale: ["v1/agents"], done: "The dashboard was saved.", quiet: true, onSuccess: onSaved },
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
    <Notice tone="danger" title="The dashboard was not saved" alert className="m-4">
      {error.message}
    </Notice>
  );
}

function Preview({ checked, agent }: { checked: CheckedTemplateText; agent: AgentRecord }) {
  const [shown, setShown] = useState<DashboardTemplate | null>(checked.ok ? checked.template : null);
  if (checked.ok && checked.template !== shown) setShown(checked.template);
  if (!shown) return null;
  return (
    <section aria-label="Preview">
      <h2 className="mb-3 font-medium text-muted text-sm">Preview{checked.ok ? "" : ", before the last change"}</h2>
      <PreviewGrid template={shown} agent={agent} />
    </section>
  );
}

function PreviewGrid({ template, agent }: { template: DashboardTemplate; agent: AgentRecord }) {
  const { data } = useDashboardData(agent.agent_id, historyLimit(template));
  return <DashboardGrid template={template} data={data} agent={agent} />;
}
