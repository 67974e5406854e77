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
import { consoleApi } from "@/lib/console/api";
import { codeOf, detailsOf, messageOf } from "@/lib/console/errors";

const schema = z.object({
  name: z.string().trim().max(255, "At most 255 characters."),
  email: z.email("Enter an e-mail address, such as ada@example.com."),
  password: z.string().min(10, "At least 10 characters.").max(200, "At most 200 characters."),
});
type Values = z.infer<typeof schema>;

interface SignUpFormProps {
  returnPath: string;
  /** An invitation is for one address. */
  invitation: { token: string; email: string } | null;
}

export function SignUpForm({ returnPath, invitation }: SignUpFormProps) {
  const form = useForm<Values>({
    resolver: zodResolver(schema),
    defaultValues: { name: "", email: invitation?.email ?? "", password: "" },
  });
  const [problem, setProblem] = useState<string | null>(null);
  const { errors, isSubmitting } = form.formState;
  const submit = form.handleSubmit(async ({ name, email, password }) => {
    setProblem(null);
    const more = { ...(name ? { name } : {}), ...(invitation ? { invitation: invitation.token } : {}) };
    try {
      const made = await consoleApi.post("/sign-up", { body: { email, password, ...more } });
      if (!("account_id" in made)) return window.location.assign("/check-email");
    } catch (error) {
      return showRefusal(error);
    }
    const result = await signIn("credentials", { email, password, redirect: false }).catch(() => undefined);
    window.location.assign(result?.ok && !result.error ? returnPath : "/sign-in");
    await new Promise(() => undefined);
  });
  const showRefusal = (error: unknown) => {
    if (codeOf(error) === "CONFLICT" && detailsOf(error).length > 0) {
      return form.setError("email", { message: "There is an account with this address. Sign in instead." }, { shouldFocus: true });
    }
    const details = detailsOf(error);
    const known = details.filter(({ path }) => path in schema.shape);
    for (const { path, message } of known) form.setError(path as keyof Values, { message }); // just found among the schema's keys
    if (known.length === 0) setProblem(error instanceof Error ? messageOf(error) : "The account could not be made.");
  };
  return (
    <form method="post" onSubmit={submit} noValidate className="grid gap-4">
      {problem && (
        <Alert tone="danger" title="The account could not be made" alert>
          {problem}
        </Alert>
      )}
      <Field label="Name" optional error={errors.name?.message}>
        {(control) => <Input {...control} {...form.register("name")} autoComplete="name" autoFocus className="h-10" />}
      </Field>
      <Field label="Email" hint={invitation ? "The invitation is for this address." : undefined} error={errors.email?.message}>
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
      <Field label="Password" hint="At least 10 characters. A few words are better than a few signs." error={errors.password?.message}>
        {(control) => <Input {...control} {...form.register("password")} type="password" autoComplete="new-password" className="h-10" />}
      </Field>
      <Button type="submit" variant="primary" size="large" loading={isSubmitting} className="mt-1">
        Create account
      </Button>
    </form>
  );
}
