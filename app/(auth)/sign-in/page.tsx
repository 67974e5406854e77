import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { Link } from "@/components/ui/link";
import { listOutsideProviders } from "@/lib/api/console/auth-options";
import { findSession } from "@/lib/api/console/session";
import { toReturnPath } from "@/lib/console/to-return-path";
import { takesPasskeys } from "@/lib/domain/account/passkeys";
import { signUpPolicy } from "@/lib/domain/account/sign-up";
import { isMailConfigured } from "@/lib/domain/mail/mailer";
import { ProviderButtons, ProviderProblem, SignInForm } from "../sign-in-forms";
export const metadata: Metadata = { title: "Sign in" };

export default async function SignInPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const { callbackUrl, error } = await searchParams;
  const returnPath = toReturnPath(callbackUrl);
  if (await findSession()) redirect(returnPath);
  return (
    <>
      <h1 className="font-semibold text-2xl">Sign in</h1>
      <p className="mt-1 mb-7 text-muted">Welcome back to your console.</p>
      {typeof error === "string" && <ProviderProblem code={error} />}
      <SignInForm
        returnPath={returnPath}
        withMail={isMailConfigured()}
        withPasskeys={takesPasskeys()}
      />
      <ProviderButtons providers={listOutsideProviders()} returnPath={returnPath} />
      {signUpPolicy() === "open" && (
        <p className="mt-6 text-muted text-sm">
          No account yet?{" "}
          <Link
            href={
              "/sign-up" +
              `${returnPath === "/" ? "" : `?callbackUrl=${encodeURIComponent(returnPath)}`}`
            }
            className="font-medium text-accent underline underline-offset-4"
          >
            Create one
          </Link>
        </p>
      )}
    </>
  );
}
