"use client";
import type { UseMutationResult } from "@tanstack/react-query";
import { Check, X } from "lucide-react";
import { type FormEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Notice } from "@/components/ui/notice";
import type { ConsoleError } from "@/lib/console/console-error";
import type { Approval } from "@/lib/console/shapes/approval";
import { APPROVAL_MESSAGE_MAX_CHARACTERS, type ApprovalDecision } from "@/lib/model/approval/approval-status";

interface DecisionFormProps {
  approval: Approval;
  decide: UseMutationResult<Approval, ConsoleError, { decision: ApprovalDecision; message: string }>;
}

/** Yes or no, with a word to the agent. The return key decides nothing: a decision is a button pressed. */
export function DecisionForm({ approval, decide }: DecisionFormProps) {
  const [message, setMessage] = useState("");
  const busyWith = decide.isPending ? decide.variables.decision : null;
  const settle = (decision: ApprovalDecision) => decide.mutate({ decision, message });
  return (
    <form onSubmit={(event: FormEvent) => event.preventDefault()} className="grid gap-3">
      {decide.error && decide.error.code !== "CONFLICT" && (
        <Notice tone="danger" title="The decision did not arrive" alert>
          {decide.error.message} The call still waits.
        </Notice>
      )}
      <p className="text-muted text-sm">
        {approval.kind === "agent_edit"
          ? "Approved, exactly this change is stored. Rejected, the agent stays as it is; whoever wanted the change is told so, with your message."
          : "Approved, the call is made once and the run goes on. Rejected, it is not made; the agent is told so, with your message, and goes on without it."}
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
      <div className="flex gap-2 max-sm:[&>*]:h-10 max-sm:[&>*]:flex-1">
        <Button
          look="primary"
          disabled={decide.isPending}
          busy={busyWith === "approve"}
          aria-label={`Approve ${approval.tool_name}`}
          onClick={() => settle("approve")}
        >
          <Check aria-hidden="true" />
          Approve
        </Button>
        <Button
          disabled={decide.isPending}
          busy={busyWith === "reject"}
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
