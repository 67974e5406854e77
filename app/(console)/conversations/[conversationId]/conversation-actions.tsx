"use client";
import { Trash2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { consoleApi } from "@/lib/console/api";
import { useConsoleMutation } from "@/lib/console/queries";

export function ConversationActions({ conversationId }: { conversationId: string }) {
  const [asked, setAsked] = useState(false);
  const router = useRouter();
  const remove = useConsoleMutation(
    () => consoleApi.delete("/v1/conversations/{conversation_id}", { params: { path: { conversation_id: conversationId } } }),
    {
      done: "The conversation was deleted.",
      onSuccess: () => router.push("/conversations"),
    },
  );
  return (
    <>
      <Button onClick={() => setAsked(true)}>
        <Trash2 aria-hidden="true" />
        Delete
      </Button>
      <ConfirmDialog
        open={asked}
        onOpenChange={setAsked}
        title="Delete this conversation?"
        action="Delete conversation"
        busy={remove.isPending}
        onConfirm={() => remove.mutate()}
      >
        Its messages are forgotten, and no run can go on from it. Its runs stay readable, each on its own page. This cannot be undone.
      </ConfirmDialog>
    </>
  );
}
