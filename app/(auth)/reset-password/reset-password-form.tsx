"use client";
import { zodResolver } from "@hookform/resolvers/zod";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { z } from "zod";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Link } from "@/components/ui/link";
import { consoleApi } from "@/lib/console/api";
import { detailsOf, messageOf } from "@/lib/console/errors";
import { PASSWORD_MAX_CHARACTERS, PASSWORD_MIN_CHARACTERS } from "@/lib/model/limits";

const schema = z.object({
  password: z
    .string()
    .min(PASSWORD_MIN_CHARACTERS, `At least ${PASSWORD_MIN_CHARACTERS} characters.`)
    .max(PASSWORD_MAX_CHARACTERS, `At most ${PASSWORD_MAX_CHARACTERS} characters.`),
});

/** Sets the password by a mailed link, which works once. */
export function ResetPasswordForm({ token }: { token: string }) {
  const form = useForm({ resolver: zodResolver(schema), defaultValues: { password: "" } });
  const [outcome, setOutcome] = useState<{ done: true } | { done: false; problem: string; isLinkDead: boolean } | null>(null);
  const { errors, isSubmitting } = form.formState;
  const submit = form.handleSubmit(async ({ password }) => {
    setOutcome(null);
    await consoleApi.post("/reset-password", { body: { token, password } }).then(
      () => setOutcome({ done: true }),
      (error: unknown) => {
        const dead = detailsOf(error).find(({ path }) => path === "token");
        const problem = dead?.message ?? (error instanceof Error ? messageOf(error) : "Try again in a moment.");
        setOutcome({ done: false, problem, isLinkDead: dead !== undefined });
      },
    );
  });
  if (outcome?.done) {
    const signIn = (
      <Button asChild variant="primary">
        <Link href="/sign-in">Sign in</Link>
      </Button>
    );
    return (
      <Alert tone="info" title="Your password is set" alert action={signIn}>
        Every session has ended. Sign in with the new password.
      </Alert>
    );
  }
  return (
    <form method="post" onSubmit={submit} noValidate className="grid gap-4">
      {outcome && (
        <Alert tone="danger" title="The password was not set" alert action={outcome.isLinkDead && <AnotherLink />}>
          {outcome.problem}
        </Alert>
      )}
      <Field label="New password" hint="At least 10 characters. A few words are better than a few signs." error={errors.password?.message}>
        {(control) => (
          <Input {...control} {...form.register("password")} type="password" autoComplete="new-password" autoFocus className="h-10" />
        )}
      </Field>
      <Button type="submit" variant="primary" size="large" loading={isSubmitting} className="mt-1">
        Set password
      </Button>
    </form>
  );
}

function AnotherLink() {
  return (
    <Button asChild>
      <Link href="/forgot-password">Ask for another link</Link>
    </Button>
  );
}
