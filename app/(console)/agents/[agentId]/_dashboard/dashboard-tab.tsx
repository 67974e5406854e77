"use client";
import { PencilLine, Settings2 } from "lucide-react";
import { type ReactNode, useMemo, useState } from "react";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { historyLimit } from "@/lib/console/dashboard/history-limit";
import { TEMPLATE_DRAFTS } from "@/lib/console/dashboard/template-drafts";
import type { AgentRecord } from "@/lib/console/shapes/agent";
import { checkDashboardTemplate } from "@/lib/model/dashboard/check-dashboard-template";
import type { DashboardTemplate } from "@/lib/model/dashboard/dashboard-template-schema";
import { QueryProblem } from "../../../_shared/query-problem";
import { EditDialog } from "../edit-dialog";
import { DashboardEditor } from "./dashboard-editor";
import { DashboardGrid } from "./dashboard-grid";
import { NoDashboard } from "./no-dashboard";
import { useDashboardData } from "./use-dashboard-data";

const REQUEST = "Add a dashboard that shows what matters most in this agent's results.";
const CHANGE = "Change the dashboard: ";

/** The agent's results at a glance, by its template; or how to get one. */
export function DashboardTab({ agent }: { agent: AgentRecord }) {
  const [mode, setMode] = useState<"view" | "edit" | "ask">(() => (TEMPLATE_DRAFTS.has(agent.agent_id) ? "edit" : "view"));
  // Another number is another dialog: an edit that is on its way stays in view while the dashboard appears behind it.
  const [asked, setAsked] = useState({ number: 0, text: "" });
  const checked = useMemo(
    () => (agent.dashboard_template === null ? null : checkDashboardTemplate(agent.dashboard_template)),
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
        <Notice tone="warning" title="This dashboard cannot be shown" action={!archived && <DashboardActions onAsk={ask} onEdit={edit} />}>
          Its template does not fit the schema: {checked.issues[0]?.message} Edit it, or ask for another.
        </Notice>
      )}
      <EditDialog key={asked.number} agentId={agent.agent_id} open={mode === "ask"} onClose={view} initial={asked.text} />
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
  agent: AgentRecord;
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
      {error ? <QueryProblem error={error} retry={retry} /> : <DashboardGrid template={template} data={data} agent={agent} />}
    </>
  );
}
