"use client";
import type { Approval } from "@/lib/client/schemas";
import { useAgentNames } from "../../_run/use-agent-names";
import { ApprovalCard } from "../approval-card";

/** One approval on a page of its own, live until it is settled. */
export function SingleApproval({ approval }: { approval: Approval }) {
  const agentNames = useAgentNames();
  const agentName = approval.agent_id ? (agentNames.get(approval.agent_id) ?? "An agent") : "A general run";
  return (
    <div className="max-w-3xl">
      <ApprovalCard approval={approval} listed={false} linked={false} agentName={agentName} />
    </div>
  );
}
