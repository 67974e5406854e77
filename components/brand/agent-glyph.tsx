import { TurnedPart } from "@/components/brand/turned-part";
import { mergeClasses } from "@/components/merge-classes";

/** An agent's tile. */
export function AgentGlyph({ agentId, className }: { agentId: string; className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={mergeClasses("grid size-8 shrink-0 place-items-center rounded-md border border-line bg-sunken text-accent", className)}
    >
      <TurnedPart seed={agentId} stretched className="h-[72%] w-[78%]" />
    </span>
  );
}
