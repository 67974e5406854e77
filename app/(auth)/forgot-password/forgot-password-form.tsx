"use client";
import { zodResolver } from "@hookform/resolvers/zod";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { z } from "zod";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { consoleApi } from "@/lib/console/api";
import { messageOf } from "@/lib/console/errors";

const schema = z.object({ email: z.email("Enter your e-mail address.") });

/** Asks for a link; says the same whether the address has an account or not. */
export function ForgotPasswordForm() {
  const form = useForm({ resolver: zodResolver(schema), defaultValues: { email: "" } });
  const [outcome, setOutcome] = useState<{ sentTo: string } | { problem: string } | null>(null);
  const { errors, isSubmitting } = form.formState;
  const submit = form.handleSubmit(async ({ email }) => {
    setOutcome(null);
    await consoleApi.post("/forgot-password", { body: { email } }).then(
      () => setOutcome({ sentTo: email }),
      (error: unknown) => setOutcome({ problem: error instanceof Error ? messageOf(error) : "Try again in a moment." }),
    );
  });
  if (outcome && "sentTo" in outcome) {
    return (
      <Alert tone="info" title="Check your e-mail" alert>
        If {outcome.sentTo} has an account here, a link is on its way to it. It works once, for an hour.
      </Alert>
    );
  }
  return (
    <form method="post" onSubmit={submit} noValidate className="grid gap-4">
      {outcome && (
        <Alert tone="danger" title="No mail was sent" alert>
          {outcome.problem}
        </Alert>
      )}
      <Field label="Email" error={errors.email?.message}>
        {(control) => <Input {...control} {...form.register("email")} type="email" autoComplete="email" autoFocus className="h-10" />}
      </Field>
      <Button type="submit" variant="primary" size="large" loading={isSubmitting} className="mt-1">
        Send the link
      </Button>
    </form>
  );
}
