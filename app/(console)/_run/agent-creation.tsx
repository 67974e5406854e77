"use client";

import type { UseMutationResult } from "@tanstack/react-query";
import { ArrowRight } from "lucide-react";
import { AgentGlyph } from "@/components/brand/turned-part";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import type { Run } from "@/lib/client/schemas";
import { consoleApi } from "@/lib/console/api";
import { useConsoleMutation } from "@/lib/console/queries";

interface Creation {
  input: string;
  conversationId: string | null;
}

/**
 * Starts to build an agent from a sentence; the answer is the run that builds it. The caller shows
 * a refusal itself.
 */
export function useStartAgentCreation(
  onSuccess: (run: Run) => void,
): UseMutationResult<Run, Error, Creation> {
  return useConsoleMutation(
    ({ input, conversationId }: Creation) =>
      consoleApi.post("/v1/agents", {
        body: { input, ...(conversationId ? { conversation_id: conversationId } : {}) },
      }),
    { stale: ["/v1/runs"], onSuccess, quiet: true },
  );
}

/** The agent that a creation run made. */
export function NewAgentCard({ agentId, name }: { agentId: string; name: string }) {
  return (
    <div className="flex flex-wrap items-center gap-3 rounded-lg border border-accent-line bg-accent-soft p-3.5">
      <AgentGlyph agentId={agentId} className="size-10 bg-surface" />
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium">{name}</p>
        <p className="text-muted text-sm">Ready to run.</p>
      </div>
      <Button asChild variant="primary">
        <Link href={`/agents/${agentId}`}>
          Open agent
          <ArrowRight aria-hidden="true" />
        </Link>
      </Button>
    </div>
  );
}

/**
 * Whether a creation that completed has left an agent to look at: it may have asked or refused in
 * its place.
 */
export function isStored(result: { build?: { outcome: string } } | null): boolean {
  return result?.build === undefined || result.build.outcome === "built";
}
