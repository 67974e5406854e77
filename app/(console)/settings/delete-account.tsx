"use client";
import { zodResolver } from "@hookform/resolvers/zod";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { z } from "zod";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { consoleApi } from "@/lib/console/api";
import { messageOf } from "@/lib/console/errors";
import { useConsoleMutation } from "@/lib/console/queries";

interface DeleteAccountProps {
  email: string;
  /** Else the e-mail address is typed. */
  hasPassword: boolean;
}

/** Deletes the account with everything it owns, once the person has shown that they mean it. */
export function DeleteAccount({ email, hasPassword }: DeleteAccountProps) {
  const [asked, setAsked] = useState(false);
  return (
    <>
      <Button look="danger" onClick={() => setAsked(true)}>
        Delete account
      </Button>
      <Dialog
        open={asked}
        onOpenChange={setAsked}
        title="Delete this account?"
        description="Its agents, runs, conversations, workspaces with their files, secrets, skills and keys go with it. Runs at work are cancelled. Nothing brings it back, and credits that are left are lost."
      >
        <ConfirmForm email={email} hasPassword={hasPassword} onCancel={() => setAsked(false)} />
      </Dialog>
    </>
  );
}

function ConfirmForm({ email, hasPassword, onCancel }: DeleteAccountProps & { onCancel: () => void }) {
  const schema = z.object({
    proof: hasPassword
      ? z.string().min(1, "Enter your password.")
      : z.string().refine((text) => text.trim().toLowerCase() === email, `Type ${email}.`),
  });
  const form = useForm({ resolver: zodResolver(schema), defaultValues: { proof: "" } });
  const remove = useConsoleMutation(
    ({ proof }: { proof: string }) => consoleApi.post("/account/delete", { body: hasPassword ? { password: proof } : { email: proof } }),
    { quiet: true, onSuccess: () => window.location.assign("/sign-in") },
  );
  const problem = form.formState.errors.proof?.message ?? messageOf(remove.error);
  return (
    <form method="post" onSubmit={form.handleSubmit((values) => remove.mutate(values))} noValidate>
      <Field
        label={hasPassword ? "Your password" : "Your e-mail address"}
        hint={hasPassword ? undefined : `Type ${email}.`}
        error={problem}
      >
        {(control) => (
          <Input
            {...control}
            {...form.register("proof")}
            type={hasPassword ? "password" : "text"}
            autoComplete={hasPassword ? "current-password" : "off"}
          />
        )}
      </Field>
      <DialogActions>
        <Button onClick={onCancel}>Keep it</Button>
        <Button type="submit" look="danger" busy={remove.isPending || remove.isSuccess}>
          Delete for good
        </Button>
      </DialogActions>
    </form>
  );
}
