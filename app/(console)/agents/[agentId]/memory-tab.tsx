"use client";
import { PencilLine, Trash2 } from "lucide-react";
import { type FormEvent, useState } from "react";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Card, CardHeader } from "@/components/ui/card";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { EmptyState } from "@/components/ui/empty-state";
import { Field } from "@/components/ui/field";
import { LoadMore } from "@/components/ui/load-more";
import { RelativeTime } from "@/components/ui/relative-time";
import { Skeleton } from "@/components/ui/skeleton";
import { Textarea } from "@/components/ui/textarea";
import type { Agent, Memory } from "@/lib/client/schemas";
import { consoleApi, messageOf } from "@/lib/console/api";
import { useConsoleMutation, useConsolePages } from "@/lib/console/queries";
import { reads } from "@/lib/console/reads";
import { MEMORY_TEXT_MAX_CHARACTERS } from "@/lib/model/limits";
import { QueryProblem } from "../../_shared/query-problem";

const MEMORY = "/v1/agents/{agent_id}/memories/{memory_id}";

/**
 * What the agent has noted across conversations; its owner may correct it and have it forgotten.
 */
export function MemoryTab({ agent }: { agent: Agent }) {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useConsolePages(
    reads.agentMemories(agent.agent_id),
  );
  const memories = data?.pages.flatMap((page) => page.data);
  return (
    <Card aria-label="Memory" aria-busy={!memories}>
      {memories && memories.length > 0 && (
        <CardHeader title="Memory" note="what later runs are told" />
      )}
      {error && !memories && <QueryProblem error={error} retry={() => void refetch()} />}
      {!error && !memories && <Skeleton className="m-4 h-12" />}
      {memories?.length === 0 && (
        <EmptyState title="Nothing noted yet" seed="memory">
          An agent whose config says tools.memory: true keeps notes across conversations: what a
          person prefers, what was decided. They stand here, apart for each end user of its runs.
        </EmptyState>
      )}
      {memories && memories.length > 0 && (
        <ul className="divide-y divide-line">
          {memories.map((memory) => (
            <MemoryRow key={memory.memory_id} memory={memory} />
          ))}
        </ul>
      )}
      {hasNextPage && (
        <LoadMore loading={isFetchingNextPage} onClick={() => void fetchNextPage()} />
      )}
    </Card>
  );
}

function MemoryRow({ memory }: { memory: Memory }) {
  const [dialog, setDialog] = useState<"edit" | "delete" | null>(null);
  const close = () => setDialog(null);
  return (
    <li className="flex items-start gap-3 px-4 py-3 text-sm">
      <div className="min-w-0 flex-1">
        <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">{memory.text}</p>
        <p className="mt-1 flex flex-wrap gap-x-3 text-faint text-xs">
          {memory.end_user !== null && (
            <span className="[overflow-wrap:anywhere]">about {memory.end_user}</span>
          )}
          <RelativeTime time={memory.updated_at} />
        </p>
      </div>
      <Button variant="ghost" size="icon" aria-label="Edit note" onClick={() => setDialog("edit")}>
        <PencilLine aria-hidden="true" />
      </Button>
      <Button
        variant="ghost"
        size="icon"
        aria-label="Delete note"
        onClick={() => setDialog("delete")}
      >
        <Trash2 aria-hidden="true" />
      </Button>
      {dialog === "edit" && <EditDialog memory={memory} onClose={close} />}
      <DeleteDialog memory={memory} open={dialog === "delete"} onClose={close} />
    </li>
  );
}

function EditDialog({ memory, onClose }: { memory: Memory; onClose: () => void }) {
  const [text, setText] = useState(memory.text);
  const save = useConsoleMutation(
    () => consoleApi.patch(MEMORY, { params: { path: pathOf(memory) }, body: { text } }),
    {
      stale: [`/v1/agents/${memory.agent_id}/memories`],
      done: "The note was changed.",
      quiet: true,
      onSuccess: onClose,
    },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <Dialog
      open
      onOpenChange={(next) => !next && onClose()}
      title="Edit note"
      description="Later runs of the agent go by it."
    >
      <form onSubmit={submit} className="grid gap-4">
        {save.error && <Alert tone="danger" title={messageOf(save.error) ?? ""} />}
        <Field label="Note">
          {(control) => (
            <Textarea
              {...control}
              rows={5}
              required
              maxLength={MEMORY_TEXT_MAX_CHARACTERS}
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
          )}
        </Field>
        <DialogActions>
          <Button type="button" onClick={onClose}>
            Cancel
          </Button>
          <Button
            type="submit"
            variant="primary"
            loading={save.isPending}
            disabled={text.trim() === ""}
          >
            Save note
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

function DeleteDialog({
  memory,
  open,
  onClose,
}: {
  memory: Memory;
  open: boolean;
  onClose: () => void;
}) {
  const remove = useConsoleMutation(
    () => consoleApi.delete(MEMORY, { params: { path: pathOf(memory) } }),
    {
      stale: [`/v1/agents/${memory.agent_id}/memories`],
      done: "The note was deleted.",
      onSuccess: onClose,
    },
  );
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title="Delete this note?"
      action="Delete note"
      loading={remove.isPending}
      onConfirm={() => remove.mutate()}
    >
      Later runs of the agent no longer know it. Runs that are at work may have read it.
    </ConfirmDialog>
  );
}

function pathOf({ agent_id, memory_id }: Memory) {
  return { agent_id, memory_id };
}
