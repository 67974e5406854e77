import type { ReactNode } from "react";
import { Alert } from "@/components/ui/alert";
import { Badge, type BadgeTone } from "@/components/ui/badge";
import type { Approval } from "@/lib/client/schemas";
import { reads } from "@/lib/console/reads";
import type { ApprovalStatus } from "@/lib/model/approval/approval";

export const APPROVAL_FILTERS = [
  { value: "pending", label: "Waiting" },
  { value: "approved", label: "Approved" },
  { value: "rejected", label: "Rejected" },
  { value: "expired", label: "Expired" },
] as const;

/** The queue's page: as many as one answer holds, as they are shown oldest first. */
export const PENDING_APPROVALS = reads.approvals({ status: "pending", limit: 100 });

const LOOKS: Record<ApprovalStatus, { label: string; tone: BadgeTone }> = {
  pending: { label: "Waiting", tone: "warning" },
  approved: { label: "Approved", tone: "success" },
  rejected: { label: "Rejected", tone: "danger" },
  expired: { label: "Expired", tone: "neutral" },
};

export function ApprovalStatusBadge({ status }: { status: ApprovalStatus }) {
  return <Badge tone={LOOKS[status].tone}>{LOOKS[status].label}</Badge>;
}

/**
 * Where the call goes and with which secret, why it asks, and what a change of an agent would give
 * it.
 */
export function CallTarget({ approval }: { approval: Approval }) {
  const { reason, changes, method, target, secret_name, secret_header, definition } = approval;
  return (
    <>
      {reason && (
        <Alert tone="warning" title="Why you are asked">
          {reason}
        </Alert>
      )}
      {changes.length > 0 && (
        <div className="min-w-0">
          <h3 className="caption mb-1.5">What would change</h3>
          <ul className="list-disc space-y-1 pl-5 text-sm [overflow-wrap:anywhere]">
            {changes.map((change) => (
              <li key={change}>{change}</li>
            ))}
          </ul>
        </div>
      )}
      {target && (
        <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5 text-sm">
          <Row name="Goes to">
            <code className="font-mono text-xs">
              {method && <strong className="font-semibold">{method} </strong>}
              {target}
            </code>
          </Row>
          <Row name="Secret">
            {secret_name ? (
              <>
                <code className="font-mono text-xs">{secret_name}</code> in the header{" "}
                <code className="font-mono text-xs">{secret_header}</code>
              </>
            ) : (
              <span className="text-muted">None is sent</span>
            )}
          </Row>
        </dl>
      )}
      {definition && (
        <details className="min-w-0 text-sm">
          <summary className="cursor-pointer text-muted">The tool as it is defined</summary>
          <pre className="mt-1.5 max-h-80 overflow-auto whitespace-pre-wrap rounded-md border border-line bg-sunken px-3.5 py-2.5 font-mono text-xs [overflow-wrap:anywhere]">
            {presentJson(definition)}
          </pre>
        </details>
      )}
    </>
  );
}

function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-faint">{name}</dt>
      <dd className="min-w-0 [overflow-wrap:anywhere]">{children}</dd>
    </>
  );
}

/**
 * Characters that a reader cannot see or that turn the reading direction; line ends are the
 * layout's own.
 */
const UNSEEN =
  /(?!\n)(?:[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]|\u034f|\u17b4|\u17b5)/gu;

/**
 * JSON for a person to judge: indented, and whatever would not show itself (direction marks,
 * zero-width and control characters) written as its escape, so that nothing can hide between the
 * letters. It stays valid JSON.
 */
export function presentJson(value: unknown): string {
  return (JSON.stringify(value, null, 2) ?? "null").replace(UNSEEN, escapeUnits);
}

function escapeUnits(character: string): string {
  return Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`,
  ).join("");
}
