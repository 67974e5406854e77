"use client";

import { zodResolver } from "@hookform/resolvers/zod";
import { signIn } from "next-auth/react";
import { type FormEvent, useState } from "react";
import { useForm } from "react-hook-form";
import { z } from "zod";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Link } from "@/components/ui/link";
import { codeOf, consoleApi, detailsOf, messageOf } from "@/lib/console/api";
import { askPasskey, passkeyProblem } from "@/lib/console/ask-passkey";

const signInSchema = z.object({
  email: z.email("Enter your e-mail address."),
  password: z.string().min(1, "Enter your password."),
});

const PROBLEMS: Record<string, { title: string; text: string }> = {
  CredentialsSignin: {
    title: "That did not match",
    text: "The e-mail address or the password is wrong. Check both and try again.",
  },
  TooManyAttempts: {
    title: "Too many attempts",
    text:
      "Signing in is closed for this account, or from here, for 15 minutes. Wait, then try " +
      "again.",
  },
  WrongCode: {
    title: "That code is not right",
    text:
      "It may be an older one, or was used already. Wait for the next one, or use a recovery " +
      "code.",
  },
  ConfirmFirst: {
    title: "Confirm your address first",
    text:
      "A mail went to it: open its link and press the button there. Nothing came? Look among " +
      "the spam, or sign up again for another one.",
  },
  SERVICE_UNAVAILABLE: {
    title: "Too many people sign in at this moment",
    text: "Nothing is wrong with what you typed. Try again in a few seconds.",
  },
  ForeignOrigin: {
    title: "This is not the console's own address",
    text:
      "Open the console at the address that it is set up under, and sign in there. Whoever " +
      "runs the service sets it as PUBLIC_URL.",
  },
};
const UNKNOWN_PASSKEY = {
  title: "This passkey opens nothing here",
  text: "It was removed, or is of another service. Sign in with your password.",
};
const UNREACHABLE = {
  title: "Signing in did not work",
  text: "The service could not be reached. Try again in a moment.",
};

interface SignInFormProps {
  returnPath: string;
  /** Whether the server can mail a link to choose a new password by. */
  withMail: boolean;
  /** Whether the server can have passkeys. */
  withPasskeys: boolean;
}

interface Problem {
  title: string;
  text: string;
}

/**
 * Tries to sign in, and leaves the page when that has worked. @returns why it has not: what the
 * page says of it, or that a code is asked for
 */
async function enter(
  credentials: Record<string, string>,
  returnPath: string,
): Promise<Problem | "second-factor"> {
  const result = await signIn("credentials", { ...credentials, redirect: false }).catch(
    () => undefined,
  );
  if (result?.error === "SecondFactor") return "second-factor";
  if (!result || result.error) return PROBLEMS[result?.error ?? ""] ?? UNREACHABLE;
  // A whole page load: nothing of a former session stays in memory.
  window.location.assign(returnPath);
  return new Promise(() => undefined);
}

export function SignInForm({ returnPath, withMail, withPasskeys }: SignInFormProps) {
  const form = useForm({
    resolver: zodResolver(signInSchema),
    defaultValues: { email: "", password: "" },
  });
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isSecondStep, setSecondStep] = useState(false);
  const { errors, isSubmitting } = form.formState;
  const submit = form.handleSubmit(async (values) => {
    setProblem(null);
    const refused = await enter(values, returnPath);
    if (refused === "second-factor") setSecondStep(true);
    else setProblem(refused);
  });
  if (isSecondStep) {
    const back = () => setSecondStep(false);
    return (
      <SecondStep
        credentials={form.getValues()}
        returnPath={returnPath}
        withPasskeys={withPasskeys}
        onBack={back}
      />
    );
  }
  return (
    <form method="post" onSubmit={submit} noValidate className="grid gap-4">
      {problem && (
        <Alert tone="danger" title={problem.title} alert>
          {problem.text}
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
      <Field
        label="Password"
        error={errors.password?.message}
        aside={
          withMail && (
            <Link
              href="/forgot-password"
              className="text-accent text-xs underline underline-offset-4"
            >
              Forgot it?
            </Link>
          )
        }
      >
        {(control) => (
          <Input
            {...control}
            {...form.register("password")}
            type="password"
            autoComplete="current-password"
            className="h-10"
          />
        )}
      </Field>
      <Button type="submit" variant="primary" size="large" loading={isSubmitting} className="mt-1">
        Sign in
      </Button>
      {withPasskeys && <PasskeyButton returnPath={returnPath} onProblem={setProblem} />}
    </form>
  );
}

interface SecondStepProps {
  credentials: { email: string; password: string };
  returnPath: string;
  withPasskeys: boolean;
  onBack: () => void;
}

/**
 * The password was right, and the person has a second factor: both go along together, so that there
 * is no session before both have been seen.
 */
function SecondStep({ credentials, returnPath, withPasskeys, onBack }: SecondStepProps) {
  const [code, setCode] = useState("");
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isSending, setSending] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setProblem(null);
    setSending(true);
    const refused = await enter({ ...credentials, code: code.trim() }, returnPath);
    setSending(false);
    setProblem(refused === "second-factor" ? UNREACHABLE : refused);
  };
  return (
    <form method="post" onSubmit={submit} noValidate className="grid gap-4">
      {problem && (
        <Alert tone="danger" title={problem.title} alert>
          {problem.text}
        </Alert>
      )}
      {/* Password managers tell by it whose code is asked for. */}
      <input type="hidden" autoComplete="username" value={credentials.email} readOnly />
      <Field label="Code" hint="From your authenticator app, or one of your recovery codes.">
        {(control) => (
          <Input
            {...control}
            name="code"
            value={code}
            onChange={(event) => setCode(event.target.value)}
            autoComplete="one-time-code"
            autoCapitalize="characters"
            spellCheck={false}
            autoFocus
            className="h-10"
          />
        )}
      </Field>
      <Button
        type="submit"
        variant="primary"
        size="large"
        loading={isSending}
        disabled={code.trim() === ""}
        className="mt-1"
      >
        Continue
      </Button>
      {withPasskeys && <PasskeyButton returnPath={returnPath} onProblem={setProblem} />}
      <Button size="large" onClick={onBack}>
        Back
      </Button>
    </form>
  );
}

/** A passkey asks its owner who they are by itself: it is both factors in one. */
function PasskeyButton({
  returnPath,
  onProblem,
}: {
  returnPath: string;
  onProblem: (problem: Problem | null) => void;
}) {
  const [isAsking, setAsking] = useState(false);
  const use = async () => {
    onProblem(null);
    setAsking(true);
    try {
      const refused = await enter({ passkey: JSON.stringify(await askPasskey()) }, returnPath);
      onProblem(
        refused === "second-factor" || refused === PROBLEMS.CredentialsSignin
          ? UNKNOWN_PASSKEY
          : refused,
      );
    } catch (error) {
      const text = passkeyProblem(error) ?? (error instanceof Error ? messageOf(error) : null);
      onProblem({ title: "No passkey was used", text: text ?? UNREACHABLE.text });
    }
    setAsking(false);
  };
  return (
    <Button size="large" loading={isAsking} onClick={() => void use()}>
      Use a passkey
    </Button>
  );
}

const PROVIDER_PROBLEMS: Record<string, { title: string; text: string }> = {
  AddressTaken: {
    title: "This address has an account already",
    text: "It was made another way, and is not handed over. Sign in as before, with its password.",
  },
  NoVerifiedAddress: {
    title: "No verified e-mail address",
    text:
      "The provider does not vouch for an e-mail address of yours. Verify one there, then try " +
      "again, or sign up with a password.",
  },
  ForeignOrigin: {
    title: "You came from another address",
    text:
      "That page was not at the console's own address. You are at the right one now: sign in " +
      "here.",
  },
  SignUpClosed: {
    title: "You have no account here",
    text:
      "Signing up needs an invitation, or is closed. Ask an admin of this service, then come " +
      "back the same way.",
  },
  TooManySignUps: {
    title: "Too many new accounts from here",
    text: "Several accounts were made from your network within an hour. Try again later.",
  },
  AccessDenied: {
    title: "You were not signed in",
    text: "The provider did not let you through, or you turned back. Try again.",
  },
};
const OTHER = {
  title: "Signing in did not work",
  text:
    "The provider could not be reached, or its answer could not be used. Try again in a " +
    "moment.",
};

/** Why signing in through a provider came to nothing. */
export function ProviderProblem({ code }: { code: string }) {
  const { title, text } = Object.hasOwn(PROVIDER_PROBLEMS, code)
    ? (PROVIDER_PROBLEMS[code] ?? OTHER)
    : OTHER;
  return (
    <Alert tone="danger" title={title} alert className="mb-5">
      {text}
    </Alert>
  );
}

const signUpSchema = z.object({
  name: z.string().trim().max(255, "At most 255 characters."),
  email: z.email("Enter an e-mail address, such as ada@example.com."),
  password: z.string().min(10, "At least 10 characters.").max(200, "At most 200 characters."),
});
type Values = z.infer<typeof signUpSchema>;

interface SignUpFormProps {
  returnPath: string;
  /** An invitation is for one address. */
  invitation: { token: string; email: string } | null;
}

export function SignUpForm({ returnPath, invitation }: SignUpFormProps) {
  const form = useForm<Values>({
    resolver: zodResolver(signUpSchema),
    defaultValues: { name: "", email: invitation?.email ?? "", password: "" },
  });
  const [problem, setProblem] = useState<string | null>(null);
  const { errors, isSubmitting } = form.formState;
  const submit = form.handleSubmit(async ({ name, email, password }) => {
    setProblem(null);
    const more = {
      ...(name ? { name } : {}),
      ...(invitation ? { invitation: invitation.token } : {}),
    };
    try {
      const made = await consoleApi.post("/sign-up", { body: { email, password, ...more } });
      if (!("account_id" in made)) return window.location.assign("/check-email");
    } catch (error) {
      return showRefusal(error);
    }
    const result = await signIn("credentials", { email, password, redirect: false }).catch(
      () => undefined,
    );
    window.location.assign(result?.ok && !result.error ? returnPath : "/sign-in");
    await new Promise(() => undefined);
  });
  const showRefusal = (error: unknown) => {
    if (codeOf(error) === "CONFLICT" && detailsOf(error).length > 0) {
      return form.setError(
        "email",
        { message: "There is an account with this address. Sign in instead." },
        { shouldFocus: true },
      );
    }
    const details = detailsOf(error);
    const known = details.filter(({ path }) => path in signUpSchema.shape);
    // Just found among the schema's keys.
    for (const { path, message } of known) form.setError(path as keyof Values, { message });
    if (known.length === 0)
      setProblem(error instanceof Error ? messageOf(error) : "The account could not be made.");
  };
  return (
    <form method="post" onSubmit={submit} noValidate className="grid gap-4">
      {problem && (
        <Alert tone="danger" title="The account could not be made" alert>
          {problem}
        </Alert>
      )}
      <Field label="Name" optional error={errors.name?.message}>
        {(control) => (
          <Input
            {...control}
            {...form.register("name")}
            autoComplete="name"
            autoFocus
            className="h-10"
          />
        )}
      </Field>
      <Field
        label="Email"
        hint={invitation ? "The invitation is for this address." : undefined}
        error={errors.email?.message}
      >
        {(control) => (
          <Input
            {...control}
            {...form.register("email")}
            type="email"
            autoComplete="email"
            readOnly={invitation !== null}
            className="h-10"
          />
        )}
      </Field>
      <Field
        label="Password"
        hint="At least 10 characters. A few words are better than a few signs."
        error={errors.password?.message}
      >
        {(control) => (
          <Input
            {...control}
            {...form.register("password")}
            type="password"
            autoComplete="new-password"
            className="h-10"
          />
        )}
      </Field>
      <Button type="submit" variant="primary" size="large" loading={isSubmitting} className="mt-1">
        Create account
      </Button>
    </form>
  );
}

interface ProviderButtonsProps {
  providers: { id: string; name: string }[];
  returnPath: string;
}

/**
 * The ways in beside the password; nothing where none is set up. An account is made at the first
 * sign-in.
 */
export function ProviderButtons({ providers, returnPath }: ProviderButtonsProps) {
  const [chosen, setChosen] = useState<string | null>(null);
  if (providers.length === 0) return null;
  const enter = (id: string) => {
    setChosen(id);
    // It leaves the page; when it cannot, the button is free again.
    void signIn(id, { callbackUrl: returnPath }).catch(() => setChosen(null));
  };
  return (
    <div className="mt-5 grid gap-2.5">
      <p className="flex items-center gap-3 text-faint text-xs before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        or
      </p>
      {providers.map(({ id, name }) => (
        <Button
          key={id}
          size="large"
          loading={chosen === id}
          disabled={chosen !== null}
          onClick={() => enter(id)}
        >
          Continue with {name}
        </Button>
      ))}
    </div>
  );
}
