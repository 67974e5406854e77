import { Check, X } from "lucide-react";
import { formatDuration } from "@/components/format/format-duration";
import { RelativeTime } from "@/components/ui/relative-time";
import { ScrollRegion } from "@/components/ui/scroll-region";
import type { WebhookAttempt } from "@/lib/console/shapes/webhook-delivery";
import { attemptResult } from "../attempt-result";

/** One attempt: when, how long, and the start of what the receiver said, as text. */
export function AttemptRow({ attempt }: { attempt: WebhookAttempt }) {
  const delivered = attempt.status_code !== null && attempt.status_code >= 200 && attempt.status_code < 300;
  const Sign = delivered ? Check : X;
  return (
    <li className="grid grid-cols-[1.25rem_minmax(0,1fr)_auto] items-baseline gap-x-2.5 gap-y-2 px-4 py-3 text-sm">
      <Sign aria-hidden="true" className={delivered ? "size-4 self-center text-success" : "size-4 self-center text-danger"} />
      <span className="[overflow-wrap:anywhere]">
        <span className="text-muted">Attempt {attempt.attempt}:</span> <span className="font-medium">{attemptResult(attempt)}</span>
      </span>
      <span className="text-right text-faint text-xs tabular">
        {formatDuration(attempt.duration_ms)} · <RelativeTime time={attempt.at} />
      </span>
      {attempt.response_body && (
        <ScrollRegion
          label={`Answer to attempt ${attempt.attempt}`}
          className="col-start-2 col-end-4 max-h-48 rounded-md border border-line bg-sunken px-3 py-2"
        >
          <pre className="whitespace-pre-wrap font-mono text-xs [overflow-wrap:anywhere]">{attempt.response_body}</pre>
        </ScrollRegion>
      )}
    </li>
  );
}
