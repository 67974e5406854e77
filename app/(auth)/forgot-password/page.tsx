import type { Metadata } from "next";
import { Alert } from "@/components/ui/alert";
import { Link } from "@/components/ui/link";
import { isMailConfigured } from "@/lib/domain/mail/mailer";
import { ForgotPasswordForm } from "../mailed-link-forms";

export const metadata: Metadata = { title: "Forgot your password?" };

export default function ForgotPasswordPage() {
  return (
    <>
      <h1 className="font-semibold text-2xl">Forgot your password?</h1>
      <p className="mt-1 mb-7 text-muted">You choose a new one by a link in a mail.</p>
      {isMailConfigured() ? (
        <ForgotPasswordForm />
      ) : (
        <Alert tone="info" title="This server sends no mail">
          Ask its operator to set a new password for your account.
        </Alert>
      )}
      <p className="mt-6 text-muted text-sm">
        It came back to you?{" "}
        <Link href="/sign-in" className="font-medium text-accent underline underline-offset-4">
          Sign in
        </Link>
      </p>
    </>
  );
}
