import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { Link } from "@/components/ui/link";
import { listOutsideProviders } from "@/lib/api/console/auth-options";
import { findSession } from "@/lib/api/console/session";
import { toReturnPath } from "@/lib/console/to-return-path";
import { findInvitation, signUpPolicy } from "@/lib/domain/account/sign-up";
import { ProviderButtons, SignUpForm } from "../sign-in-forms";
export const metadata: Metadata = { title: "Create account" };

export default async function SignUpPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const { callbackUrl, invitation: token } = await searchParams;
  const returnPath = toReturnPath(callbackUrl);
  if (await findSession()) redirect(returnPath);
  const policy = signUpPolicy();
  const found =
    typeof token === "string" && policy !== "closed" ? await findInvitation(token) : null;
  if (policy === "closed")
    return (
      <NoSignUp
        title="Signing up is closed"
        text="Accounts here are made by the operator of the service."
      />
    );
  if (policy === "invite" && !found) {
    const text =
      token === undefined
        ? "An admin of this service can send you an invitation: its link leads here."
        : "This invitation was used or revoked, or has expired. Ask for another one.";
    return (
      <NoSignUp
        title="You need an invitation"
        text={text}
        providers={listOutsideProviders()}
        returnPath={returnPath}
      />
    );
  }
  const invitation = found && typeof token === "string" ? { token, email: found.email } : null;
  return (
    <>
      <h1 className="font-semibold text-2xl">
        {invitation ? "You are invited" : "Create your account"}
      </h1>
      <p className="mt-1 mb-7 text-muted">It comes with credits to start with. No card.</p>
      <SignUpForm returnPath={returnPath} invitation={invitation} />
      <ProviderButtons providers={listOutsideProviders()} returnPath={returnPath} />
      <HaveAccount />
    </>
  );
}

interface NoSignUpProps {
  title: string;
  text: string;
  /** A provider's word may be as good as an invitation's link. */
  providers?: { id: string; name: string }[];
  returnPath?: string;
}

function NoSignUp({ title, text, providers = [], returnPath = "/" }: NoSignUpProps) {
  return (
    <>
      <h1 className="font-semibold text-2xl">{title}</h1>
      <p className="mt-1 text-muted">{text}</p>
      <ProviderButtons providers={providers} returnPath={returnPath} />
      <HaveAccount />
    </>
  );
}

function HaveAccount() {
  return (
    <p className="mt-6 text-muted text-sm">
      Have an account?{" "}
      <Link href="/sign-in" className="font-medium text-accent underline underline-offset-4">
        Sign in
      </Link>
    </p>
  );
}
