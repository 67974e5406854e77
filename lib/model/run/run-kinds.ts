import type { KindFacts } from "@/lib/model/run/run-kind";

/**
 * The facts of the kinds of runs, as their programs say them. Written by
 * `npx vitest run --project=unit lib/domain/run-programs.test.ts -u`.
 */
export const RUN_KIND_FACTS = [
  {
    kind: "agent",
    family: "agent",
    routes: "agent",
    startsRuns: "configured",
  },
  {
    kind: "agent_creation",
    family: "creation",
    routes: "agent",
    title: { of: "Create {agent}", alone: "Create an agent" },
  },
  {
    kind: "agent_edit",
    family: "creation",
    routes: "agent",
    title: { of: "Edit {agent}", alone: "Edit an agent" },
  },
  {
    kind: "super_agent",
    family: "super_agent",
    routes: "super_agent",
    startsRuns: "own",
    title: { of: "Super-agent", alone: "Super-agent" },
  },
  {
    kind: "app",
    family: "agent",
    routes: "agent",
    startsRuns: "configured",
    onAppPath: true,
  },
] as const satisfies readonly KindFacts[];
