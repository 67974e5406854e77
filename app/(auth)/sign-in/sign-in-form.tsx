"use client";

import { zodResolver } from "@hookform/resolvers/zod";
import { signIn } from "next-auth/react";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { z } from "zod";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Link } from "@/components/ui/link";

const schema = z.object({ email: z.email("Enter your e-mail address."), password: z.string().min(1, "Enter your password.") });

const PROBLEMS: Record<string, { title: string; text: string }> = {
  CredentialsSignin: { title: "That did not match", text: "The e-mail address or the password is wrong. Check both and try again." },
  TooManyAttempts: {
    title: "Too many attempts",
    text: "Signing in is closed for this account, or from here, for 15 minutes. Wait, then try again.",
  },
  SERVICE_UNAVAILABLE: {
    title: "Too many people sign in at this moment",
    text: "Nothing is wrong with what you typed. Try again in a few seconds.",
  },
  ForeignOrigin: {
    title: "This is not the console's own address",
    text: "Open the console at the address that it is set up under, and sign in there. Whoever runs the service sets it as PUBLIC_URL.",
  },
};
const UNREACHABLE = { title: "Signing in did not work", text: "The service could not be reached. Try again in a moment." };

interface SignInFormProps {
  returnPath: string;
  /** Whether the server can mail a link to choose a new password by. */
  withMail: boolean;
}

export function SignInForm({ returnPath, withMail }: SignInFormProps) {
  const form = useForm({ resolver: zodResolver(schema), defaultValues: { email: "", password: "" } });
  const [problem, setProblem] = useState<{ title: string; text: string } | null>(null);
  const { errors, isSubmitting } = form.formState;
  const submit = form.handleSubmit(async (values) => {
    setProblem(null);
    const result = await signIn("credentials", { ...values, redirect: false }).catch(() => undefined);
    if (!result || result.error) return setProblem(PROBLEMS[result?.error ?? ""] ?? UNREACHABLE);
    // A whole page load: nothing of a former session stays in memory.
    window.location.assign(returnPath);
    await new Promise(() => undefined);
  });
  return (
    <form method="post" onSubmit={submit} noValidate className="grid gap-4">
      {problem && (
        <Alert tone="danger" title={problem.title} alert>
          {problem.text}
        </Alert>
      )}
      <Field label="Email" error={errors.email?.message}>
        {(control) => <Input {...control} {...form.register("email")} type="email" autoComplete="email" autoFocus className="h-10" />}
      </Field>
      <Field
        label="Password"
        error={errors.password?.message}
        aside={
          withMail && (
            <Link href="/forgot-password" className="text-accent text-xs underline underline-offset-4">
              Forgot it?
            </Link>
          )
        }
      >
        {(control) => (
          <Input {...control} {...form.register("password")} type="password" autoComplete="current-password" className="h-10" />
        )}
      </Field>
      <Button type="submit" variant="primary" size="large" loading={isSubmitting} className="mt-1">
        Sign in
      </Button>
    </form>
  );
}

const PROVIDER_PROBLEMS: Record<string, { title: string; text: string }> = {
  AddressTaken: {
    title: "This address has an account already",
    text: "It was made another way, and is not handed over. Sign in as before, with its password.",
  },
  NoVerifiedAddress: {
    title: "No verified e-mail address",
    text: "The provider does not vouch for an e-mail address of yours. Verify one there, then try again, or sign up with a password.",
  },
  ForeignOrigin: {
    title: "You came from another address",
    text: "That page was not at the console's own address. You are at the right one now: sign in here.",
  },
  SignUpClosed: {
    title: "You have no account here",
    text: "Signing up needs an invitation, or is closed. Ask an admin of this service, then come back the same way.",
  },
  TooManySignUps: {
    title: "Too many new accounts from here",
    text: "Several accounts were made from your network within an hour. Try again later.",
  },
  AccessDenied: { title: "You were not signed in", text: "The provider did not let you through, or you turned back. Try again." },
};
const OTHER = {
  title: "Signing in did not work",
  text: "The provider could not be reached, or its answer could not be used. Try again in a moment.",
};

/** Why signing in through a provider came to nothing. */
export function ProviderProblem({ code }: { code: string }) {
  const { title, text } = Object.hasOwn(PROVIDER_PROBLEMS, code) ? (PROVIDER_PROBLEMS[code] ?? OTHER) : OTHER;
  return (
    <Alert tone="danger" title={title} alert className="mb-5">
      {text}
    </Alert>
  );
}
