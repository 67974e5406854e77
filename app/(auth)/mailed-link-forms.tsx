"use client";

import { zodResolver } from "@hookform/resolvers/zod";
import { useEffect, useRef, useState } from "react";
import { useForm } from "react-hook-form";
import { z } from "zod";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Link } from "@/components/ui/link";
import { Spinner } from "@/components/ui/spinner";
import { consoleApi, detailsOf, messageOf } from "@/lib/console/api";
import { PASSWORD_MAX_CHARACTERS, PASSWORD_MIN_CHARACTERS } from "@/lib/model/limits";

const addressSchema = z.object({ email: z.email("Enter your e-mail address.") });

/** Asks for a link; says the same whether the address has an account or not. */
export function ForgotPasswordForm() {
  const form = useForm({ resolver: zodResolver(addressSchema), defaultValues: { email: "" } });
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

const passwordSchema = z.object({
  password: z
    .string()
    .min(PASSWORD_MIN_CHARACTERS, `At least ${PASSWORD_MIN_CHARACTERS} characters.`)
    .max(PASSWORD_MAX_CHARACTERS, `At most ${PASSWORD_MAX_CHARACTERS} characters.`),
});

/** Sets the password by a mailed link, which works once. */
export function ResetPasswordForm({ token }: { token: string }) {
  const form = useForm({ resolver: zodResolver(passwordSchema), defaultValues: { password: "" } });
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

type State = { step: "asking" } | { step: "done" } | { step: "failed"; message: string };

/** Uses the link up when a person's browser has opened it: what only fetches links, such as a mail filter, does not. */
export function VerifyEmail({ token }: { token: string }) {
  const [state, setState] = useState<State>({ step: "asking" });
  const asked = useRef(false);
  useEffect(() => {
    // The link works once, and effects may run twice.
    if (asked.current) return;
    asked.current = true;
    consoleApi.post("/verify-email", { body: { token } }).then(
      () => setState({ step: "done" }),
      (error: unknown) => setState({ step: "failed", message: error instanceof Error ? messageOf(error) : "Try again in a moment." }),
    );
  }, [token]);
  if (state.step === "asking") {
    return (
      <p role="status" className="flex items-center gap-2.5 text-muted">
        <Spinner />
        Confirming your address …
      </p>
    );
  }
  return (
    <>
      <h1 className="font-semibold text-2xl">{state.step === "done" ? "Your address is confirmed" : "This did not work"}</h1>
      {state.step === "done" ? (
        <p className="mt-1 text-muted">Your starting credits are in your wallet.</p>
      ) : (
        <Alert tone="danger" title="The address is not confirmed" alert className="mt-4">
          {state.message}
        </Alert>
      )}
      <Button asChild variant="primary" size="large" className="mt-6">
        <Link href="/">Go to the console</Link>
      </Button>
    </>
  );
}
