"use client";
import { zodResolver } from "@hookform/resolvers/zod";
import { useForm } from "react-hook-form";
import { z } from "zod";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { CopyButton } from "@/components/ui/copy-button";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { consoleApi } from "@/lib/console/api";
import { useConsoleMutation } from "@/lib/console/queries";

const schema = z.object({ email: z.email("Enter an e-mail address, such as ada@example.com.") });

/** Invites an address; where no mail could be sent, shows the link this once. */
export function InviteForm() {
  const form = useForm({ resolver: zodResolver(schema), defaultValues: { email: "" } });
  const invite = useConsoleMutation((body: { email: string }) => consoleApi.post("/admin/invitations", { body }), {
    quiet: true,
    stale: ["/admin/invitations"],
    onSuccess: () => form.reset(),
  });
  return (
    <Card aria-label="Invite somebody" className="p-4">
      <form onSubmit={form.handleSubmit((values) => invite.mutate(values))} noValidate className="flex flex-wrap items-start gap-2">
        <div className="min-w-0 flex-1 basis-56">
          <Field label="Email" error={form.formState.errors.email?.message ?? invite.error?.message}>
            {(control) => <Input {...control} {...form.register("email")} type="email" autoComplete="off" placeholder="ada@example.com" />}
          </Field>
        </div>
        <Button type="submit" look="primary" busy={invite.isPending} className="mt-[1.625rem] h-9">
          Invite
        </Button>
      </form>
      {invite.data && <Outcome invitation={invite.data} />}
    </Card>
  );
}

function Outcome({ invitation: { email, link } }: { invitation: { email: string; link: string | null } }) {
  if (link === null) {
    return (
      <p role="status" className="mt-3 text-muted text-sm [overflow-wrap:anywhere]">
        A mail with the link is on its way to {email}.
      </p>
    );
  }
  return (
    <div role="status" className="mt-4 grid gap-2 rounded-lg border border-accent-line bg-accent-soft p-3.5">
      <p className="text-sm [overflow-wrap:anywhere]">
        <span className="font-medium">Pass this link on to {email} now.</span>{" "}
        <span className="text-muted">It was not mailed, and it cannot be shown again.</span>
      </p>
      <div className="flex items-center gap-2 rounded-md border border-line bg-surface py-1 pr-1 pl-2.5">
        <code className="min-w-0 flex-1 select-all break-all font-mono text-xs">{link}</code>
        <CopyButton text={link} what="invitation link" wordy />
      </div>
    </div>
  );
}
