"use client";
import { PencilLine, Trash2 } from "lucide-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { consoleApi } from "@/lib/console/api";
import { useConsoleMutation, useConsoleQuery } from "@/lib/console/queries";
import { reads } from "@/lib/console/reads";
import { SkillSwitch } from "../skill-switch";

/** What can be done with a skill of one's own. */
export function SkillActions({ skillId }: { skillId: string }) {
  const { data: skill } = useConsoleQuery(reads.skill(skillId));
  const [doomed, setDoomed] = useState(false);
  const router = useRouter();
  const remove = useConsoleMutation(() => consoleApi.delete("/v1/skills/{skill_id}", { params: { path: { skill_id: skillId } } }), {
    stale: [reads.skills],
    done: `${skill?.name} was deleted.`,
    onSuccess: () => router.push("/skills"),
  });
  if (!skill) return null;
  return (
    <>
      <span className="mr-2 inline-flex items-center gap-2 text-muted text-sm">
        {skill.enabled ? "Enabled" : "Disabled"}
        <SkillSwitch skill={skill} />
      </span>
      <Button asChild>
        <Link href={`/skills/new?from=${skillId}`}>
          <PencilLine aria-hidden="true" />
          New version
        </Link>
      </Button>
      <Button size="icon" aria-label={`Delete ${skill.name}`} onClick={() => setDoomed(true)}>
        <Trash2 aria-hidden="true" />
      </Button>
      <ConfirmDialog
        open={doomed}
        onOpenChange={setDoomed}
        title={`Delete ${skill.name}?`}
        action="Delete skill"
        busy={remove.isPending}
        onConfirm={() => remove.mutate()}
      >
        Its text and files are deleted, and runs are no longer told of it. This cannot be undone; switching it off can.
      </ConfirmDialog>
    </>
  );
}
