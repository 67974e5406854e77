"use client";
import { parseAsStringLiteral, useQueryState } from "nuqs";
import { Tab, TabList, TabPanel, Tabs } from "@/components/ui/tabs";
import { consolePaths } from "@/lib/console/console-paths";
import type { AgentRecord } from "@/lib/console/shapes/agent";
import { useConsoleQuery } from "@/lib/console/use-console-query";
import { RunList } from "../../_run/run-list";
import { DashboardTab } from "./_dashboard/dashboard-tab";
import { UnsavedGuard, useUnsavedFields } from "./_editing/unsaved-guard";
import { UnsavedMark } from "./_editing/unsaved-mark";
import { SchedulesTab } from "./_schedules/schedules-tab";
import { ApiTab } from "./api-tab";
import { ConfigTab } from "./config-tab";
import { RunTab } from "./run-tab";
import { SkillTab } from "./skill-tab";
import { VersionsTab } from "./versions-tab";

const TABS = ["dashboard", "run", "skill", "config", "versions", "runs", "schedules", "api"] as const;
const LABELS: Record<(typeof TABS)[number], string> = {
  dashboard: "Dashboard",
  run: "Run",
  skill: "Skill",
  config: "Config",
  versions: "Versions",
  runs: "Runs",
  schedules: "Schedules",
  api: "API",
};

/** The agent from its sides. The side stands in the address; without one the dashboard is shown where there is one. */
export function AgentTabs({ agentId }: { agentId: string }) {
  const [asked, setTab] = useQueryState("tab", parseAsStringLiteral(TABS));
  const { data: agent } = useConsoleQuery<AgentRecord>(consolePaths.agent(agentId));
  const unsaved = useUnsavedFields(agentId);
  if (!agent) return null;
  const tab = asked ?? (agent.dashboard_template ? "dashboard" : "run");
  return (
    <Tabs value={tab} onValueChange={(value) => void setTab(TABS.find((name) => name === value) ?? "run")}>
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
        <RunList path={consolePaths.runs({ agent_id: agentId })} />
      </TabPanel>
      <TabPanel value="schedules">
        <SchedulesTab agent={agent} />
      </TabPanel>
      <TabPanel value="api">
        <ApiTab agent={agent} />
      </TabPanel>
      <UnsavedGuard agentId={agentId} />
    </Tabs>
  );
}
