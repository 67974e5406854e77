"use client";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { requestConsole } from "@/lib/console/request-console";
import { useConsoleMutation } from "@/lib/console/use-console-mutation";

/** Signs the person out on every device, this one too. */
export function EndSessionsButton() {
  const [asked, setAsked] = useState(false);
  const end = useConsoleMutation(() => requestConsole("sessions/end", { method: "POST" }), {
    onSuccess: () => window.location.assign("/sign-in"),
  });
  return (
    <>
      <Button onClick={() => setAsked(true)}>Sign out everywhere</Button>
      <ConfirmDialog
        open={asked}
        onOpenChange={setAsked}
        title="Sign out everywhere?"
        action="Sign out everywhere"
        busy={end.isPending || end.isSuccess}
        onConfirm={() => end.mutate()}
      >
        Every session of yours ends at once, on every device and in this browser too. API keys and runs go on.
      </ConfirmDialog>
    </>
  );
}
