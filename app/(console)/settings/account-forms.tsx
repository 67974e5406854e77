"use client";

import { zodResolver } from "@hookform/resolvers/zod";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { Controller, useForm } from "react-hook-form";
import { z } from "zod";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Switch } from "@/components/ui/switch";
import { consoleApi, detailsOf, messageOf } from "@/lib/console/api";
import { useConsoleMutation, useConsoleQuery } from "@/lib/console/queries";
import { reads } from "@/lib/console/reads";
import {
  NAME_MAX_CHARACTERS,
  PASSWORD_MAX_CHARACTERS,
  PASSWORD_MIN_CHARACTERS,
} from "@/lib/model/limits";

const nameSchema = z.object({
  name: z.string().trim().max(NAME_MAX_CHARACTERS, `At most ${NAME_MAX_CHARACTERS} characters.`),
});

/** How the signed-in person is called here. */
export function NameForm({ name }: { name: string }) {
  const form = useForm({ resolver: zodResolver(nameSchema), values: { name } });
  const router = useRouter();
  const rename = useConsoleMutation(
    (body: { name: string }) => consoleApi.patch("/profile", { body }),
    {
      quiet: true,
      done: "Saved.",
      onSuccess: () => router.refresh(),
    },
  );
  return (
    <form
      onSubmit={form.handleSubmit((values) => rename.mutate(values))}
      noValidate
      className="flex flex-wrap items-start gap-2"
    >
      <div className="min-w-0 flex-1 basis-56">
        <Field label="Name" error={form.formState.errors.name?.message ?? messageOf(rename.error)}>
          {(control) => <Input {...control} {...form.register("name")} autoComplete="name" />}
        </Field>
      </div>
      <Button
        type="submit"
        loading={rename.isPending}
        disabled={!form.formState.isDirty}
        className="mt-[1.625rem] h-9"
      >
        Save name
      </Button>
    </form>
  );
}

/** The address is not proven yet: what waits for it, and how to get another mail. */
export function EmailProof({ email }: { email: string }) {
  const resend = useConsoleMutation(() => consoleApi.post("/verify-email/resend"), {
    done: `A mail is on its way to ${email}.`,
  });
  const again = (
    <Button size="small" loading={resend.isPending} onClick={() => resend.mutate()}>
      Send another mail
    </Button>
  );
  return (
    <Alert tone="warning" title="Confirm your e-mail address" action={again} className="mb-6">
      Open the link that was mailed to {email} and press its button. Until then nothing can be made
      or started here; every key and every other session ends with it.
    </Alert>
  );
}

const passwordSchema = z.object({
  current: z.string().min(1, "Enter your current password."),
  next: z
    .string()
    .min(PASSWORD_MIN_CHARACTERS, `At least ${PASSWORD_MIN_CHARACTERS} characters.`)
    .max(PASSWORD_MAX_CHARACTERS, `At most ${PASSWORD_MAX_CHARACTERS} characters.`),
  revokeKeys: z.boolean(),
});
type Values = z.infer<typeof passwordSchema>;

/** Changes the password. Every other session ends with it, and the keys where that is wanted. */
export function PasswordForm({ email }: { email: string }) {
  const form = useForm<Values>({
    resolver: zodResolver(passwordSchema),
    defaultValues: { current: "", next: "", revokeKeys: false },
  });
  const change = useConsoleMutation(
    ({ current, next, revokeKeys }: Values) =>
      consoleApi.post("/password", {
        body: { current_password: current, new_password: next, revoke_keys: revokeKeys },
      }),
    {
      quiet: true,
      done: "Changed. Your other sessions have ended.",
      stale: ["/keys", "/sessions"],
      onSuccess: () => form.reset(),
    },
  );
  const { errors } = form.formState;
  const wrongPlace = detailsOf(change.error).find(({ path }) => path === "new_password")
    ? "next"
    : "current";
  return (
    <form
      method="post"
      onSubmit={form.handleSubmit((values) => change.mutate(values))}
      noValidate
      className="grid gap-4"
    >
      <input type="hidden" autoComplete="username" value={email} readOnly />
      <Field
        label="Current password"
        error={errors.current?.message ?? (wrongPlace === "current" ? change.error?.message : null)}
      >
        {(control) => (
          <Input
            {...control}
            {...form.register("current")}
            type="password"
            autoComplete="current-password"
          />
        )}
      </Field>
      <Field
        label="New password"
        hint="At least 10 characters."
        error={errors.next?.message ?? (wrongPlace === "next" ? change.error?.message : null)}
      >
        {(control) => (
          <Input
            {...control}
            {...form.register("next")}
            type="password"
            autoComplete="new-password"
          />
        )}
      </Field>
      <Controller
        control={form.control}
        name="revokeKeys"
        render={({ field }) => <RevokeKeys checked={field.value} onChange={field.onChange} />}
      />
      <div>
        <Button type="submit" loading={change.isPending}>
          Change password
        </Button>
      </div>
    </form>
  );
}

/** Whoever knew the password may have made keys. Nothing is offered where there are none. */
function RevokeKeys({
  checked,
  onChange,
}: {
  checked: boolean;
  onChange: (checked: boolean) => void;
}) {
  const { data } = useConsoleQuery(reads.allKeys);
  const living = data?.data.filter(({ revoked_at }) => revoked_at === null) ?? [];
  if (living.length === 0) return null;
  const count = `${living.length}${data?.has_more ? " or more" : ""}`;
  return (
    <div className="grid gap-2 rounded-md border border-line bg-sunken px-3 py-2.5 text-sm">
      <div className="flex items-center justify-between gap-4">
        <span id="revoke-keys">Revoke every API key of the account too ({count})</span>
        <Switch aria-labelledby="revoke-keys" checked={checked} onCheckedChange={onChange} />
      </div>
      {checked && (
        <ul
          aria-label="Keys that will be revoked"
          className="grid max-h-40 gap-1 overflow-y-auto border-line border-t pt-2 text-muted text-xs"
        >
          {living.map((key) => (
            <li key={key.key_id} className="flex min-w-0 items-baseline gap-2">
              <span className="truncate">{key.name}</span>
              <span className="shrink-0 font-mono text-faint">
                {key.prefix}…{key.last_four}
              </span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

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
      <Button variant="danger" onClick={() => setAsked(true)}>
        Delete account
      </Button>
      <Dialog
        open={asked}
        onOpenChange={setAsked}
        title="Delete this account?"
        description={
          "Its agents, runs, conversations, workspaces with their files, secrets, skills and " +
          "keys go with it. Runs at work are cancelled. Nothing brings it back, and credits that " +
          "are left are lost."
        }
      >
        <ConfirmForm email={email} hasPassword={hasPassword} onCancel={() => setAsked(false)} />
      </Dialog>
    </>
  );
}

function ConfirmForm({
  email,
  hasPassword,
  onCancel,
}: DeleteAccountProps & { onCancel: () => void }) {
  const schema = z.object({
    proof: hasPassword
      ? z.string().min(1, "Enter your password.")
      : z.string().refine((text) => text.trim().toLowerCase() === email, `Type ${email}.`),
  });
  const form = useForm({ resolver: zodResolver(schema), defaultValues: { proof: "" } });
  const remove = useConsoleMutation(
    ({ proof }: { proof: string }) =>
      consoleApi.post("/account/delete", {
        body: hasPassword ? { password: proof } : { email: proof },
      }),
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
        <Button type="submit" variant="danger" loading={remove.isPending || remove.isSuccess}>
          Delete for good
        </Button>
      </DialogActions>
    </form>
  );
}
