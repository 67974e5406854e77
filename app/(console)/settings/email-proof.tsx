"use client";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { consoleApi } from "@/lib/console/api";
import { useConsoleMutation } from "@/lib/console/queries";

/** The address is not proven yet: what waits for it, and how to get another mail. */
export function EmailProof({ email }: { email: string }) {
  const resend = useConsoleMutation(() => consoleApi.post("/verify-email/resend"), {
    done: `A mail is on its way to ${email}.`,
  });
  const again = (
    <Button size="small" busy={resend.isPending} onClick={() => resend.mutate()}>
      Send another mail
    </Button>
  );
  return (
    <Notice tone="warning" title="Confirm your e-mail address" action={again} className="mb-6">
      Open the link that was mailed to {email}. Starting credits and notifications by e-mail wait for it.
    </Notice>
  );
}
