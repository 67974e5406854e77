"use client";

import { EmptyState } from "@/components/ui/empty-state";
import { reads } from "@/lib/console/reads";
import { RunList } from "../../_run/run-list";

export function EndUserRuns({ name }: { name: string }) {
  return (
    <RunList
      read={reads.runs({ end_user: name })}
      empty={
        <EmptyState title="No runs yet" seed="runs">
          Each run for this person stands here with its status, time and credits.
        </EmptyState>
      }
    />
  );
}
