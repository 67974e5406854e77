"use client";
import { useEffect } from "react";
import { Switch } from "@/components/ui/switch";
import type { Skill } from "@/lib/client/schemas";
import { consoleApi } from "@/lib/console/api";
import { useConsoleMutation } from "@/lib/console/queries";

/** Whether runs are told of the skill. Turns at once, and back when the service refuses. */
export function SkillSwitch({ skill }: { skill: Skill }) {
  const turn = useConsoleMutation(
    (on: boolean) =>
      consoleApi.post(on ? "/v1/skills/{skill_id}/enable" : "/v1/skills/{skill_id}/disable", {
        params: { path: { skill_id: skill.skill_id } },
      }),
    { stale: ["/v1/skills"] },
  );
  const { reset } = turn;
  // Until the list has been read anew the answer counts, from then on the list again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another record says it was read
  useEffect(reset, [skill, reset]);
  const shown = turn.isPending ? turn.variables : (turn.data?.enabled ?? skill.enabled);
  return (
    <Switch
      aria-label={`Enable ${skill.name}`}
      checked={shown}
      disabled={turn.isPending}
      onCheckedChange={(on) => turn.mutate(on)}
    />
  );
}
