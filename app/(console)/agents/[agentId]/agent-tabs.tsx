"use client";
import { parseAsStringLiteral, useQueryState } from "nuqs";
import { Tab, TabList, TabPanel, Tabs } from "@/components/ui/tabs";
import { consolePaths } from "@/lib/console/console-paths";
import type { AgentRecord } from "@/lib/console/shapes/agent";
import { useConsoleQuery } from "@/lib/console/use-console-query";
import { RunList } from "../../_run/run-list";
import { UnsavedGuard, useUnsavedFields } from "./_editing/unsaved-guard";
import { UnsavedMark } from "./_editing/unsaved-mark";
import { ApiTab } from "./api-tab";
import { ConfigTab } from "./config-tab";
import { RunTab } from "./run-tab";
import { SkillTab } from "./skill-tab";
import { VersionsTab } from "./versions-tab";

const TABS = ["run", "skill", "config", "versions", "runs", "api"] as const;
const LABELS: Record<(typeof TABS)[number], string> = {
  run: "Run",
  skill: "Skill",
  config: "Config",
  versions: "Versions",
  runs: "Runs",
  api: "API",
};

/** The agent from its sides. The side stands in the address. */
export function AgentTabs({ agentId }: { agentId: string }) {
  const [tab, setTab] = useQueryState("tab", parseAsStringLiteral(TABS).withDefault("run"));
  const { data: agent } = useConsoleQuery<AgentRecord>(consolePaths.agent(agentId));
  const unsaved = useUnsavedFields(agentId);
  if (!agent) return null;
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
      <TabPanel value="api">
        <ApiTab agent={agent} />
      </TabPanel>
      <UnsavedGuard agentId={agentId} />
    </Tabs>
  );
}
