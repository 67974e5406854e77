import { Notice } from "@/components/ui/notice";

/** Where the TypeScript client of the examples comes from. */
export function ClientNote() {
  return (
    <Notice tone="info" title="The TypeScript client">
      The TypeScript code uses the typed client that comes with this service: copy the folder{" "}
      <code className="font-mono text-xs">lib/client</code> of its repository beside your code as{" "}
      <code className="font-mono text-xs">client</code>, and install <code className="font-mono text-xs">openapi-fetch</code>. The Python
      code needs Python 3.8 and nothing else.
    </Notice>
  );
}
