import { Alert } from "@/components/ui/alert";

/** What stands in the place of a person of whom nothing is left. */
export function Erased() {
  return (
    <Alert tone="info" title="This end user was erased">
      Nothing is kept of them. A receipt by API says how much was deleted:{" "}
      <code className="font-mono text-xs">GET /v1/end-users/…</code>. A new run under the name
      begins a new person.
    </Alert>
  );
}
