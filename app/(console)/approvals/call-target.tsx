import type { ReactNode } from "react";
import { Alert } from "@/components/ui/alert";
import type { Approval } from "@/lib/client/schemas";
import { toShownJson } from "@/lib/console/to-shown-json";

/** Where the call goes and with which secret, why it asks, and what a change of an agent would give it. */
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
            {toShownJson(definition)}
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
