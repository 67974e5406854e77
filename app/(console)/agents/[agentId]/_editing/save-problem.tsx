import { Notice } from "@/components/ui/notice";
import { isRefusal, messageOf } from "@/lib/console/errors";

/** Why a save was refused, and what becomes of the text. */
export function SaveProblem({ error }: { error: Error }) {
  return (
    <Notice tone="danger" title="This was not saved" alert className="m-4">
      {messageOf(error)} {advice(error)}
    </Notice>
  );
}

function advice(error: Error): string {
  if (!isRefusal(error)) return "Your text is still here.";
  if (error.status === 429) {
    const minutes = error.retryAfter ? Math.ceil(error.retryAfter / 60) : null;
    return minutes ? `Your text stays here: save again in about ${minutes} min.` : "Your text stays here: save again in a while.";
  }
  if (error.status === 404) return "The agent is not there any more. Copy your text if you need it.";
  return "Your text is still here.";
}
