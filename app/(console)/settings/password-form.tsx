"use client";
import { zodResolver } from "@hookform/resolvers/zod";
import { Controller, useForm } from "react-hook-form";
import { z } from "zod";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Switch } from "@/components/ui/switch";
import { consoleApi } from "@/lib/console/api";
import { detailsOf } from "@/lib/console/errors";
import { useConsoleMutation, useConsoleQuery } from "@/lib/console/queries";
import { reads } from "@/lib/console/reads";
import { PASSWORD_MAX_CHARACTERS, PASSWORD_MIN_CHARACTERS } from "@/lib/model/limits";

const schema = z.object({
  current: z.string().min(1, "Enter your current password."),
  next: z
    .string()
    .min(PASSWORD_MIN_CHARACTERS, `At least ${PASSWORD_MIN_CHARACTERS} characters.`)
    .max(PASSWORD_MAX_CHARACTERS, `At most ${PASSWORD_MAX_CHARACTERS} characters.`),
  revokeKeys: z.boolean(),
});
type Values = z.infer<typeof schema>;

/** Changes the password. Every other session ends with it, and the keys where that is wanted. */
export function PasswordForm({ email }: { email: string }) {
  const form = useForm<Values>({ resolver: zodResolver(schema), defaultValues: { current: "", next: "", revokeKeys: false } });
  const change = useConsoleMutation(
    ({ current, next, revokeKeys }: Values) =>
      consoleApi.post("/password", { body: { current_password: current, new_password: next, revoke_keys: revokeKeys } }),
    { quiet: true, done: "Changed. Your other sessions have ended.", stale: ["/keys", "/sessions"], onSuccess: () => form.reset() },
  );
  const { errors } = form.formState;
  const wrongPlace = detailsOf(change.error).find(({ path }) => path === "new_password") ? "next" : "current";
  return (
    <form method="post" onSubmit={form.handleSubmit((values) => change.mutate(values))} noValidate className="grid gap-4">
      <input type="hidden" autoComplete="username" value={email} readOnly />
      <Field label="Current password" error={errors.current?.message ?? (wrongPlace === "current" ? change.error?.message : null)}>
        {(control) => <Input {...control} {...form.register("current")} type="password" autoComplete="current-password" />}
      </Field>
      <Field
        label="New password"
        hint="At least 10 characters."
        error={errors.next?.message ?? (wrongPlace === "next" ? change.error?.message : null)}
      >
        {(control) => <Input {...control} {...form.register("next")} type="password" autoComplete="new-password" />}
      </Field>
      <Controller
        control={form.control}
        name="revokeKeys"
        render={({ field }) => <RevokeKeys checked={field.value} onChange={field.onChange} />}
      />
      <div>
        <Button type="submit" busy={change.isPending}>
          Change password
        </Button>
      </div>
    </form>
  );
}

/** Whoever knew the password may have made keys. Nothing is offered where there are none. */
function RevokeKeys({ checked, onChange }: { checked: boolean; onChange: (checked: boolean) => void }) {
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
