import { ArrowRight } from "lucide-react";
import { AgentGlyph } from "@/components/brand/agent-glyph";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";

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

/** Whether a creation that completed has left an agent to look at: it may have asked or refused in its place. */
export function isStored(result: { build?: { outcome: string } } | null): boolean {
  return result?.build === undefined || result.build.outcome === "built";
}
