"use client";
import { Trash2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { requestConsoleJson } from "@/lib/console/request-console-json";
import { useConsoleMutation } from "@/lib/console/use-console-mutation";

/** Deletes a run that has ended, once it is sure. */
export function DeleteRunButton({ runId }: { runId: string }) {
  const [asked, setAsked] = useState(false);
  const router = useRouter();
  const remove = useConsoleMutation(() => requestConsoleJson<void>(`v1/runs/${encodeURIComponent(runId)}`, { method: "DELETE" }), {
    done: "The run was deleted.",
    onSuccess: () => router.push("/runs"),
  });
  return (
    <>
      <Button onClick={() => setAsked(true)}>
        <Trash2 aria-hidden="true" />
        Delete
      </Button>
      <ConfirmDialog
        open={asked}
        onOpenChange={setAsked}
        title="Delete this run?"
        action="Delete run"
        busy={remove.isPending}
        onConfirm={() => remove.mutate()}
      >
        Its transcript, its messages in the conversation, the files that it made and what was sent about it are deleted with it. What it
        cost stays in the account&apos;s usage. This cannot be undone.
      </ConfirmDialog>
    </>
  );
}
