import type { Metadata } from "next";
import Link from "next/link";
import { redirect } from "next/navigation";
import { listOutsideProviders } from "@/lib/api/console/outside-providers";
import { findSession } from "@/lib/api/console/session";
import { toReturnPath } from "@/lib/console/to-return-path";
import { ProviderButtons } from "../provider-buttons";
import { SignUpForm } from "./sign-up-form";

export const metadata: Metadata = { title: "Create account" };

export default async function SignUpPage({ searchParams }: { searchParams: Promise<Record<string, string | string[] | undefined>> }) {
  const { callbackUrl } = await searchParams;
  const returnPath = toReturnPath(callbackUrl);
  if (await findSession()) redirect(returnPath);
  return (
    <>
      <h1 className="font-semibold text-2xl">Create your account</h1>
      <p className="mt-1 mb-7 text-muted">It comes with credits to start with. No card.</p>
      <SignUpForm returnPath={returnPath} />
      <ProviderButtons providers={listOutsideProviders()} returnPath={returnPath} />
      <p className="mt-6 text-muted text-sm">
        Have an account?{" "}
        <Link href="/sign-in" className="font-medium text-accent underline underline-offset-4">
          Sign in
        </Link>
      </p>
    </>
  );
}
