"use client";
import { zodResolver } from "@hookform/resolvers/zod";
import { useForm } from "react-hook-form";
import { toast } from "sonner";
import { z } from "zod";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { requestConsole } from "@/lib/console/request-console";
import { useConsoleMutation } from "@/lib/console/use-console-mutation";

const schema = z.object({
  current: z.string().min(1, "Enter your current password."),
  next: z.string().min(10, "At least 10 characters.").max(200, "At most 200 characters."),
});
type Values = z.infer<typeof schema>;

/** Changes the password. Every session ends with it, this one too. */
export function PasswordForm({ email }: { email: string }) {
  const form = useForm<Values>({ resolver: zodResolver(schema), defaultValues: { current: "", next: "" } });
  const change = useConsoleMutation(
    ({ current, next }: Values) => requestConsole("password", { method: "POST", body: { current_password: current, new_password: next } }),
    {
      quiet: true,
      onSuccess: () => {
        toast.success("Changed. Sign in with the new password.");
        window.location.assign("/sign-in");
      },
    },
  );
  const { errors } = form.formState;
  const wrongPlace = change.error?.details.find(({ path }) => path === "new_password") ? "next" : "current";
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
      <div>
        <Button type="submit" busy={change.isPending}>
          Change password
        </Button>
      </div>
    </form>
  );
}
