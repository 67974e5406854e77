"use client";
import { useEffect } from "react";
import { Switch } from "@/components/ui/switch";
import { consolePaths } from "@/lib/console/console-paths";
import { requestConsoleJson } from "@/lib/console/request-console-json";
import type { Skill } from "@/lib/console/shapes/skill";
import { useConsoleMutation } from "@/lib/console/use-console-mutation";

/** Whether runs are told of the skill. Turns at once, and back when the service refuses. */
export function SkillSwitch({ skill }: { skill: Skill }) {
  const turn = useConsoleMutation(
    (on: boolean) => requestConsoleJson<Skill>(`${consolePaths.skill(skill.skill_id)}/${on ? "enable" : "disable"}`, { method: "POST" }),
    { stale: ["v1/skills"] },
  );
  const { reset } = turn;
  // Until the list has been read anew the answer counts, from then on the list again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another record is the sign that it was read
  useEffect(reset, [skill, reset]);
  const shown = turn.isPending ? turn.variables : (turn.data?.enabled ?? skill.enabled);
  return <Switch aria-label={`Enable ${skill.name}`} checked={shown} disabled={turn.isPending} onCheckedChange={(on) => turn.mutate(on)} />;
}
