"use client";
import { type FormEvent, useState } from "react";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Card, CardHeader } from "@/components/ui/card";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Link } from "@/components/ui/link";
import { Skeleton } from "@/components/ui/skeleton";
import { Textarea } from "@/components/ui/textarea";
import { consoleApi } from "@/lib/console/api";
import { messageOf } from "@/lib/console/errors";
import { useConsoleMutation } from "@/lib/console/queries";
import { useRunStream } from "@/lib/console/transcript/use-run-stream";
import { LiveRun, useStreamEnd } from "../../_run/live-run";
import { useVersions } from "./_versions/version-list";
import { ComparedVersions } from "./_versions/version-views";

interface EditDialogProps {
  agentId: string;
  open: boolean;
  onClose: () => void;
  /** What stands in the field at first. */
  initial?: string;
}

/** Changes an agent by saying how. The edit is a run of its own, shown live; until it has succeeded the agent stays as it was. */
export function EditDialog({ agentId, open, onClose, initial = "" }: EditDialogProps) {
  const [input, setInput] = useState(initial);
  const stream = useRunStream();
  const { status } = stream.transcript;
  useStreamEnd(stream.transcript);
  const edit = useConsoleMutation(
    () => consoleApi.post("/v1/agents/{agent_id}/edits", { params: { path: { agent_id: agentId } }, body: { input } }),
    {
      quiet: true,
      stale: ["/v1/runs"],
      onSuccess: (run) => stream.follow(run.run_id),
    },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (input.trim()) edit.mutate();
  };
  const started = stream.state !== null;
  return (
    <Dialog
      wide
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title="Edit in words"
      description="Say what should change. A new version is stored once the edit has succeeded."
    >
      <form onSubmit={submit} className="grid gap-4">
        {edit.error && (
          <Alert tone="danger" title="The edit was not started" alert>
            {messageOf(edit.error)}
          </Alert>
        )}
        {started ? (
          <>
            <LiveRun stream={stream} label="Edit" />
            {status === "completed" && stream.transcript.runId && <EditOutcome agentId={agentId} runId={stream.transcript.runId} />}
          </>
        ) : (
          <Field label="What should change?">
            {(control) => (
              <Textarea
                {...control}
                value={input}
                onChange={(event) => setInput(event.target.value)}
                placeholder="Write the report in German, and put the totals first."
              />
            )}
          </Field>
        )}
        <p className="text-xs">
          <Link
            href={`/agents/${agentId}?tab=versions&list=edits`}
            onClick={onClose}
            className="text-accent underline-offset-4 hover:underline"
          >
            Earlier edits of this agent
          </Link>
        </p>
        <DialogActions>
          {stream.state === "ended" && <Button onClick={stream.reset}>Edit again</Button>}
          <Button onClick={onClose}>Close</Button>
          {!started && (
            <Button type="submit" variant="primary" loading={edit.isPending} disabled={!input.trim()}>
              Start edit
            </Button>
          )}
        </DialogActions>
      </form>
    </Dialog>
  );
}

/** What a successful edit changed: the version that it made beside the one before. */
function EditOutcome({ agentId, runId }: { agentId: string; runId: string }) {
  const { found, previous, looking } = useVersions(agentId, runId);
  if (looking) return <Skeleton className="h-40 rounded-lg" />;
  if (!found || !previous) return null;
  return (
    <Card aria-label="What the edit changed">
      <CardHeader title="What changed" note={`version ${previous.number} to ${found.number}`} />
      <ComparedVersions agentId={agentId} before={previous} after={found} />
    </Card>
  );
}
