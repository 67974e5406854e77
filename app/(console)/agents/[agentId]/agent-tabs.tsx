"use client";
import { parseAsStringLiteral, useQueryState } from "nuqs";
import { Tab, TabList, TabPanel, Tabs } from "@/components/ui/tabs";
import { consolePaths } from "@/lib/console/console-paths";
import type { AgentRecord } from "@/lib/console/shapes/agent";
import { useConsoleQuery } from "@/lib/console/use-console-query";
import { RunList } from "../../_run/run-list";
import { ApiTab } from "./api-tab";
import { ConfigTab } from "./config-tab";
import { RunTab } from "./run-tab";
import { SkillTab } from "./skill-tab";

const TABS = ["run", "skill", "config", "runs", "api"] as const;
const LABELS: Record<(typeof TABS)[number], string> = { run: "Run", skill: "Skill", config: "Config", runs: "Runs", api: "API" };

/** The agent from its five sides. The side stands in the address. */
export function AgentTabs({ agentId }: { agentId: string }) {
  const [tab, setTab] = useQueryState("tab", parseAsStringLiteral(TABS).withDefault("run"));
  const { data: agent } = useConsoleQuery<AgentRecord>(consolePaths.agent(agentId));
  if (!agent) return null;
  return (
    <Tabs value={tab} onValueChange={(value) => void setTab(TABS.find((name) => name === value) ?? "run")}>
      <TabList aria-label="Parts of the agent">
        {TABS.map((name) => (
          <Tab key={name} value={name}>
            {LABELS[name]}
          </Tab>
        ))}
      </TabList>
      {/* Kept while another tab is in view, so that a live run is not lost. */}
      <TabPanel value="run" forceMount className="data-[state=inactive]:hidden">
        <RunTab agent={agent} />
      </TabPanel>
      <TabPanel value="skill">
        <SkillTab skill={agent.skill_content} />
      </TabPanel>
      <TabPanel value="config">
        <ConfigTab config={agent.config_content} />
      </TabPanel>
      <TabPanel value="runs">
        <RunList path={consolePaths.runs({ agent_id: agentId })} />
      </TabPanel>
      <TabPanel value="api">
        <ApiTab agent={agent} />
      </TabPanel>
    </Tabs>
  );
}
