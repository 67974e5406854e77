import { Notice } from "@/components/ui/notice";
import type { ConsoleError } from "@/lib/console/console-error";

/** Why a save was refused, and what becomes of the text. */
export function SaveProblem({ error }: { error: ConsoleError }) {
  return (
    <Notice tone="danger" title="This was not saved" alert className="m-4">
      {error.message} {advice(error)}
    </Notice>
  );
}

function advice(error: ConsoleError): string {
  if (error.status === 429) {
    const minutes = error.retryAfterSeconds ? Math.ceil(error.retryAfterSeconds / 60) : null;
    return minutes ? `Your text stays here: save again in about ${minutes} min.` : "Your text stays here: save again in a while.";
  }
  if (error.status === 404) return "The agent is not there any more. Copy your text if you need it.";
  return "Your text is still here.";
}
