"use client";

import { type UseMutationResult, useQueryClient } from "@tanstack/react-query";
import { Check, X } from "lucide-react";
import { type FormEvent, useEffect, useMemo, useRef, useState } from "react";
import { presentJson } from "@/app/(console)/approvals/approval-parts";
import { AgentGlyph } from "@/components/brand/turned-part";
import { mergeClasses } from "@/components/merge-classes";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Link } from "@/components/ui/link";
import { RelativeTime } from "@/components/ui/relative-time";
import { ScrollRegion } from "@/components/ui/scroll-region";
import type { Approval } from "@/lib/client/schemas";
import { codeOf, consoleApi, messageOf } from "@/lib/console/api";
import { useConsoleMutation, useConsoleQuery } from "@/lib/console/queries";
import { queryKey, reads } from "@/lib/console/reads";
import {
  APPROVAL_MESSAGE_MAX_CHARACTERS,
  type ApprovalDecision,
} from "@/lib/model/approval/approval";
import { useAgentNames } from "../../../lib/console/queries";
import { ApprovalStatusBadge, CallTarget } from "./approval-parts";

interface ApprovalCardProps {
  approval: Approval;
  /** Whether the list that it comes from still has it among those that wait. */
  listed: boolean;
  agentName: string;
  /** Whether it leads to its own page: not when it stands there. */
  linked?: boolean;
}

/**
 * One call with all that is needed to judge it, and the two buttons; afterwards, in the same place,
 * what became of it.
 */
export function ApprovalCard({
  approval: given,
  listed,
  agentName,
  linked = true,
}: ApprovalCardProps) {
  const decide = useDecideApproval(given);
  const latest = useApproval(given, listed && !decide.isSuccess && !decide.isError);
  const approval = decide.data ?? latest;
  const waits = approval.status === "pending";
  return (
    <article
      aria-label={`Approval of ${approval.tool_name}`}
      className={mergeClasses(
        "rounded-lg border bg-surface",
        waits ? "border-line-strong" : "border-line",
      )}
    >
      <div className="flex flex-wrap items-start gap-x-3 gap-y-2 border-line border-b px-4 py-3.5 sm:px-5">
        <AgentGlyph
          agentId={approval.agent_id ?? approval.run_id}
          className="mt-0.5 size-8 rounded-md"
        />
        <div className="min-w-0 flex-1">
          <h2 className="text-base [overflow-wrap:anywhere]">
            {approval.kind === "agent_edit" ? (
              <>
                An agent {waits ? "wants" : "wanted"} to change{" "}
                <span className="font-medium">{agentName}</span>
              </>
            ) : (
              <>
                <span className="font-medium">{agentName}</span>{" "}
                {waits ? "wants to use" : "asked to use"}{" "}
                <code className="font-medium font-mono text-sm">{approval.tool_name}</code>
              </>
            )}
          </h2>
          {approval.target === null && (
            <p className="mt-0.5 text-muted text-sm [overflow-wrap:anywhere]">{whatOf(approval)}</p>
          )}
        </div>
        <p className="text-faint text-xs max-sm:w-full max-sm:pl-11">
          {waits ? (
            <>
              Expires <RelativeTime time={approval.expires_at} />
            </>
          ) : (
            <ApprovalStatusBadge status={approval.status} />
          )}
        </p>
      </div>
      <div className="grid gap-4 px-4 py-4 sm:px-5">
        <CallTarget approval={approval} />
        <CallArguments approval={approval} />
        {waits ? (
          <DecisionForm approval={approval} decide={decide} />
        ) : (
          <DecisionOutcome
            approval={approval}
            decidedHere={!decide.isIdle}
            refusal={decide.error}
          />
        )}
      </div>
      <p className="flex flex-wrap gap-x-4 gap-y-1 border-line border-t px-4 py-2 text-faint text-xs sm:px-5">
        <span>
          Asked <RelativeTime time={approval.created_at} />
        </span>
        {approval.replaces && (
          <Link
            href={`/approvals/${approval.replaces}`}
            className="text-accent underline-offset-4 hover:underline"
          >
            What was approved before
          </Link>
        )}
        <Link
          href={`/runs/${approval.run_id}`}
          className="text-accent underline-offset-4 hover:underline"
        >
          Open the run
        </Link>
        {linked && (
          <Link
            href={`/approvals/${approval.approval_id}`}
            className="text-accent underline-offset-4 hover:underline"
          >
            Link to this approval
          </Link>
        )}
      </p>
    </article>
  );
}

/** The summary without the tool's name, which stands above it. */
function whatOf({ summary, tool_name }: Approval): string {
  return summary.startsWith(`${tool_name}: `) ? summary.slice(tool_name.length + 2) : summary;
}

/**
 * The approval as it is now. While `listed`, the list that it comes from is fresh enough; then it
 * is read by itself until it is settled.
 */
function useApproval(approval: Approval, listed: boolean): Approval {
  const { data } = useConsoleQuery(reads.approval(approval.approval_id), {
    enabled: !listed,
    refreshEvery: (latest) =>
      !listed && (latest ?? approval).status === "pending" ? 4_000 : false,
  });
  if (!data || (data.status === "pending" && approval.status !== "pending")) return approval;
  return data;
}

interface Decided {
  decision: ApprovalDecision;
  message: string;
  /** With a yes: that the agent asks no more for this tool as it is. */
  remember: boolean;
}

/**
 * Decides one approval. Whatever comes of it, its state is read anew: somebody else may have been
 * faster.
 */
function useDecideApproval({
  approval_id: approvalId,
  digest,
}: Approval): UseMutationResult<Approval, Error, Decided> {
  const client = useQueryClient();
  return useConsoleMutation(
    ({ decision, message, remember }: Decided) =>
      consoleApi.post("/v1/approvals/{approval_id}/resolve", {
        params: { path: { approval_id: approvalId } },
        // What is shown here is what is decided about.
        body: {
          decision,
          digest,
          ...(message.trim() && { message: message.trim() }),
          ...(remember && decision === "approve" && { remember }),
        },
      }),
    {
      quiet: true,
      stale: ["/v1/approvals", "/v1/runs", "/v1/agents", reads.attention],
      onSuccess: (approval) => client.setQueryData(queryKey(reads.approval(approvalId)), approval),
      onError: () => void client.invalidateQueries({ queryKey: queryKey("/v1/approvals") }),
    },
  );
}

const SHOWN_AT_FIRST_CHARACTERS = 6_000;

/**
 * What the call would carry, as text. A long one is cut, but says so: nobody should approve what
 * they could not read.
 */
function CallArguments({ approval }: { approval: Approval }) {
  const [whole, setWhole] = useState(false);
  const text = useMemo(() => presentJson(approval.arguments), [approval.arguments]);
  const hidden = whole ? 0 : Math.max(0, text.length - SHOWN_AT_FIRST_CHARACTERS);
  return (
    <div className="min-w-0">
      <h3 className="caption mb-1.5">Arguments</h3>
      <ScrollRegion
        label={`Arguments of ${approval.tool_name}`}
        className="max-h-80 rounded-md border border-line bg-sunken px-3.5 py-2.5 font-mono text-xs leading-relaxed"
      >
        <pre className="whitespace-pre-wrap [overflow-wrap:anywhere]">
          {hidden > 0 ? text.slice(0, SHOWN_AT_FIRST_CHARACTERS) : text}
        </pre>
      </ScrollRegion>
      {hidden > 0 && (
        <p className="mt-1.5 flex flex-wrap items-center gap-2 text-sm text-warning">
          {hidden.toLocaleString("en")} more characters are not shown yet.
          <Button size="small" onClick={() => setWhole(true)}>
            Show all of it
          </Button>
        </p>
      )}
    </div>
  );
}

const OUTCOMES = {
  pending: "",
  approved: "Approved: the call is made, and the run goes on.",
  rejected: "Rejected: the call is not made. The agent was told, and the run goes on without it.",
  expired: "Expired: nobody decided in time, or the run was ended. The call is not made.",
};

interface DecisionOutcomeProps {
  approval: Approval;
  /**
   * Decided, or tried to be, in this very place: its button had the focus and is gone, so who
   * decides by keyboard goes on from here.
   */
  decidedHere: boolean;
  /** The answer to a decision that came too late. */
  refusal: Error | null;
}

/** What became of a call. */
function DecisionOutcome({ approval, decidedHere, refusal }: DecisionOutcomeProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (decidedHere && document.activeElement === document.body)
      place.current?.focus({ preventScroll: true });
  }, [decidedHere]);
  return (
    <div ref={place} tabIndex={-1} className="grid gap-3 rounded-sm text-sm outline-none">
      {refusal && (
        <Alert tone="warning" title="It was settled before your decision arrived" alert>
          {messageOf(refusal)}
        </Alert>
      )}
      <p role="status" className="font-medium">
        {OUTCOMES[approval.status]}
      </p>
      {approval.message && (
        <blockquote className="border-line-strong border-l-2 pl-3 text-muted [overflow-wrap:anywhere]">
          {approval.message}
        </blockquote>
      )}
      {approval.decided_at && (
        <p className="text-faint text-xs">
          {approval.status === "expired" ? "Expired" : "Decided"}{" "}
          <RelativeTime time={approval.decided_at} />
        </p>
      )}
    </div>
  );
}

interface DecisionFormProps {
  approval: Approval;
  decide: UseMutationResult<Approval, Error, Decided>;
}

/**
 * Yes or no, with a word to the agent. The return key decides nothing: a decision is a button
 * pressed.
 */
function DecisionForm({ approval, decide }: DecisionFormProps) {
  const [message, setMessage] = useState("");
  const [remember, setRemember] = useState(false);
  const loadingAction = decide.isPending ? decide.variables.decision : null;
  const settle = (decision: ApprovalDecision) => decide.mutate({ decision, message, remember });
  return (
    <form onSubmit={(event: FormEvent) => event.preventDefault()} className="grid gap-3">
      {decide.error && codeOf(decide.error) !== "CONFLICT" && (
        <Alert tone="danger" title="The decision did not arrive" alert>
          {messageOf(decide.error)} The call still waits.
        </Alert>
      )}
      <p className="text-muted text-sm">
        {approval.kind === "agent_edit"
          ? "Approved, exactly this change is stored. Rejected, the agent stays as it is; " +
            "whoever wanted the change is told so, with your message."
          : "Approved, the call is made once and the run goes on. Rejected, it is not made; " +
            "the agent is told so, with your message, and goes on without it."}
      </p>
      <Field label="Message" optional>
        {(control) => (
          <Input
            {...control}
            value={message}
            maxLength={APPROVAL_MESSAGE_MAX_CHARACTERS}
            autoComplete="off"
            placeholder="Why, or what to do instead"
            onChange={(event) => setMessage(event.target.value)}
          />
        )}
      </Field>
      {approval.can_remember && (
        <label className="flex items-start gap-2 text-sm">
          <input
            type="checkbox"
            className="mt-0.5 size-4 accent-accent"
            checked={remember}
            onChange={(event) => setRemember(event.target.checked)}
          />
          <span>
            Ask no more for this tool as it is defined, whatever the arguments
            <span className="block text-faint text-xs">
              With Approve only. The agent’s page has it under Approvals, to be taken back.
            </span>
          </span>
        </label>
      )}
      <div className="flex gap-2 max-sm:[&>*]:h-10 max-sm:[&>*]:flex-1">
        <Button
          variant="primary"
          disabled={decide.isPending}
          loading={loadingAction === "approve"}
          aria-label={`Approve ${approval.tool_name}`}
          onClick={() => settle("approve")}
        >
          <Check aria-hidden="true" />
          Approve
        </Button>
        <Button
          disabled={decide.isPending}
          loading={loadingAction === "reject"}
          aria-label={`Reject ${approval.tool_name}`}
          onClick={() => settle("reject")}
        >
          <X aria-hidden="true" />
          Reject
        </Button>
      </div>
    </form>
  );
}

/** One approval on a page of its own, live until it is settled. */
export function SingleApproval({ approval }: { approval: Approval }) {
  const agentNames = useAgentNames();
  const agentName = approval.agent_id
    ? (agentNames.get(approval.agent_id) ?? "An agent")
    : "A general run";
  return (
    <div className="max-w-3xl">
      <ApprovalCard approval={approval} listed={false} linked={false} agentName={agentName} />
    </div>
  );
}
