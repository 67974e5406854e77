import { expect, test } from "vitest";
import {
  type AgentContent,
  changedParts,
  textOfPart,
  VERSION_PARTS,
} from "@/app/(console)/agents/[agentId]/_versions/version-views";

const AGENT = {
  name: "Clerk",
  description: null,
  version: "1.0.0",
  write_autonomy: "full_auto",
  skill_content: "# Clerk",
  config_content: "version: 1\n",
  dashboard_template: null,
} as AgentContent; // what else versions keep some day is nothing here

const DASHBOARD: AgentContent["dashboard_template"] = {
  version: 1,
  title: "Files",
  layout: [],
  widgets: {},
};

test("each part that differs is named, and no other", () => {
  expect(changedParts(AGENT, { ...AGENT })).toEqual([]);
  const changes: Partial<AgentContent> = {
    name: "Head clerk",
    description: "Files.",
    version: "1.0.1",
    write_autonomy: "blocked",
    skill_content: "# Head clerk",
    config_content: "version: 1 # one\n",
    dashboard_template: DASHBOARD,
  };
  for (const [part, value] of Object.entries(changes)) {
    expect(changedParts(AGENT, { ...AGENT, [part]: value }).map((changed) => changed.part)).toEqual(
      [part],
    );
  }
  expect(changedParts(AGENT, { ...AGENT, ...changes })).toHaveLength(Object.keys(changes).length);
});

test("a part reads in words: autonomy by name, a dashboard as JSON, nothing as nothing", () => {
  const texts = (content: AgentContent) =>
    Object.fromEntries(VERSION_PARTS.map((part) => [part.part, textOfPart(content, part)]));
  expect(texts(AGENT)).toMatchObject({
    write_autonomy: "Full auto",
    description: "",
    dashboard_template: "",
  });
  expect(texts({ ...AGENT, dashboard_template: DASHBOARD }).dashboard_template).toBe(
    JSON.stringify(DASHBOARD, null, 2),
  );
});
