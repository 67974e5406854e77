"use client";

import { Badge, type BadgeTone } from "@/components/ui/badge";
import { Card, CardHeader } from "@/components/ui/card";
import { Link } from "@/components/ui/link";
import { ScrollRegion } from "@/components/ui/scroll-region";
import type { Run } from "@/lib/client/schemas";
import { outsideSentence, type RunAction, toReceipts } from "@/lib/console/receipts";

/** What an ended run did outside and what it read, from its log; nothing while it is at work. */
export function RunReceipts({ run }: { run: Run }) {
  if (!run.actions) return null;
  const isTruncated = run.actions_truncated === true;
  const receipts = toReceipts(run.actions);
  const { outside, inside, read } = receipts;
  const isUnknown = outside.some(({ status }) => status === "unknown");
  return (
    <Card aria-label="What it did">
      <CardHeader title="What it did" />
      <p className={`px-4 pt-3 pb-3 text-sm ${isUnknown ? "text-warning" : ""}`}>
        {outsideSentence(receipts, isTruncated)}
      </p>
      <Group title="Outside" actions={outside} />
      <Group title="Kept here" actions={inside} />
      <Group title="Read" actions={read} />
      {isTruncated && (
        <p className="border-line border-t px-4 py-2.5 text-faint text-xs">
          The newest {run.actions.length} calls are shown; the trace has more.
        </p>
      )}
    </Card>
  );
}

function Group({ title, actions }: { title: string; actions: readonly RunAction[] }) {
  if (actions.length === 0) return null;
  return (
    <div className="border-line border-t">
      <h3 className="flex items-baseline justify-between px-4 pt-2.5 font-medium text-muted text-xs">
        {title}
        <span className="text-faint tabular">{actions.length}</span>
      </h3>
      <ScrollRegion label={title} className="max-h-56">
        <ul className="px-4 pb-1.5">
          {actions.map((action) => (
            <Row key={action.action_id} action={action} />
          ))}
        </ul>
      </ScrollRegion>
    </div>
  );
}

const STATUSES: Record<RunAction["status"], { word: string; tone: BadgeTone }> = {
  succeeded: { word: "Done", tone: "success" },
  failed: { word: "Failed", tone: "danger" },
  refused: { word: "Refused", tone: "neutral" },
  unknown: { word: "Not known", tone: "warning" },
};

function Row({ action }: { action: RunAction }) {
  const { word, tone } = STATUSES[action.status];
  const files = action.artifact_ids.length;
  return (
    <li className="flex items-start justify-between gap-3 py-1.5">
      <span className="min-w-0">
        <span className="block font-mono text-xs [overflow-wrap:anywhere]">{action.target}</span>
        <span className="text-faint text-xs">
          {action.target !== action.tool && <span className="font-mono">{action.tool}</span>}
          {files > 0 && ` · ${files === 1 ? "a file" : `${files} files`}`}
          {action.approval_id !== null && (
            <>
              {action.target !== action.tool && " · "}
              <Link
                href={`/approvals/${action.approval_id}`}
                className="text-accent underline-offset-4 hover:underline"
              >
                approval
              </Link>
            </>
          )}
        </span>
      </span>
      <Badge tone={tone}>{word}</Badge>
    </li>
  );
}
