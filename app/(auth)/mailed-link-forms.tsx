"use client";

import { zodResolver } from "@hookform/resolvers/zod";
import { useState, useSyncExternalStore } from "react";
import { useForm } from "react-hook-form";
import { z } from "zod";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Link } from "@/components/ui/link";
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
      (error: unknown) =>
        setOutcome({
          problem: error instanceof Error ? messageOf(error) : "Try again in a moment.",
        }),
    );
  });
  if (outcome && "sentTo" in outcome) {
    return (
      <Alert tone="info" title="Check your e-mail" alert>
        If {outcome.sentTo} has an account here, a link is on its way to it. It works once, for an
        hour.
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
        {(control) => (
          <Input
            {...control}
            {...form.register("email")}
            type="email"
            autoComplete="email"
            autoFocus
            className="h-10"
          />
        )}
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
export function ResetPasswordForm({ queryToken }: { queryToken: string }) {
  const token = useLinkToken(queryToken) ?? "";
  const form = useForm({ resolver: zodResolver(passwordSchema), defaultValues: { password: "" } });
  const [outcome, setOutcome] = useState<
    { done: true } | { done: false; problem: string; isLinkDead: boolean } | null
  >(null);
  const { errors, isSubmitting } = form.formState;
  const submit = form.handleSubmit(async ({ password }) => {
    setOutcome(null);
    await consoleApi.post("/reset-password", { body: { token, password } }).then(
      () => setOutcome({ done: true }),
      (error: unknown) => {
        const dead = detailsOf(error).find(({ path }) => path === "token");
        const problem =
          dead?.message ?? (error instanceof Error ? messageOf(error) : "Try again in a moment.");
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
        <Alert
          tone="danger"
          title="The password was not set"
          alert
          action={outcome.isLinkDead && <AnotherLink />}
        >
          {outcome.problem}
        </Alert>
      )}
      <Field
        label="New password"
        hint="At least 10 characters. A few words are better than a few signs."
        error={errors.password?.message}
      >
        {(control) => (
          <Input
            {...control}
            {...form.register("password")}
            type="password"
            autoComplete="new-password"
            autoFocus
            className="h-10"
          />
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

/**
 * The token of the mailed link that led here. It stands in the fragment, which no server and no log
 * of one is ever told; links of earlier mails had it in the query. Null until the browser has
 * looked.
 */
function useLinkToken(fromQuery: string): string | null {
  return useSyncExternalStore(
    (changed) => {
      window.addEventListener("hashchange", changed);
      return () => window.removeEventListener("hashchange", changed);
    },
    () => new URLSearchParams(window.location.hash.slice(1)).get("token") ?? fromQuery,
    () => null,
  );
}

type State =
  | { step: "asking" }
  | { step: "sending" }
  | { step: "done" }
  | { step: "failed"; message: string };

/**
 * Confirms the address when a person presses the button: opening the page does nothing, for mail
 * filters open links and run their scripts.
 */
export function VerifyEmail({
  queryToken,
  isSignedIn,
}: {
  queryToken: string;
  isSignedIn: boolean;
}) {
  const token = useLinkToken(queryToken);
  // Another link in the same tab begins anew.
  return token === null ? null : (
    <ConfirmAddress key={token} token={token} isSignedIn={isSignedIn} />
  );
}

function ConfirmAddress({ token, isSignedIn }: { token: string; isSignedIn: boolean }) {
  const [state, setState] = useState<State>({ step: "asking" });
  const confirm = () => {
    setState({ step: "sending" });
    consoleApi.post("/verify-email", { body: { token } }).then(
      () => setState({ step: "done" }),
      (error: unknown) =>
        setState({
          step: "failed",
          message: error instanceof Error ? messageOf(error) : "Try again in a moment.",
        }),
    );
  };
  if (state.step === "asking" || state.step === "sending") {
    return (
      <>
        <h1 className="font-semibold text-2xl">Confirm your address</h1>
        <p className="mt-1 text-muted">
          The mail says when and from where this account was asked for. Confirm only what you asked
          for yourself: whoever asked has chosen the password.
        </p>
        <Button
          variant="primary"
          size="large"
          loading={state.step === "sending"}
          onClick={confirm}
          className="mt-6"
        >
          Confirm my address
        </Button>
      </>
    );
  }
  return (
    <>
      <h1 className="font-semibold text-2xl">
        {state.step === "done" ? "Your address is confirmed" : "This did not work"}
      </h1>
      {state.step === "done" ? (
        <p role="status" className="mt-1 text-muted">
          {isSignedIn
            ? "Your starting credits are in your wallet. Keys that were made before have " +
              "ended: make new ones."
            : "Your account is ready, with its starting credits. Sign in with the password " +
              "that you chose."}
        </p>
      ) : (
        <Alert tone="danger" title="The address is not confirmed" alert className="mt-4">
          {state.message}
        </Alert>
      )}
      <Button asChild variant="primary" size="large" className="mt-6">
        <Link href={isSignedIn ? "/" : "/sign-in"}>
          {isSignedIn ? "Go to the console" : "Sign in"}
        </Link>
      </Button>
    </>
  );
}
