import type { Metadata } from "next";
import { Link } from "@/components/ui/link";

export const metadata: Metadata = { title: "Check your e-mail" };

/** The same for an address that has an account already: only its mailbox is told. */
export default function CheckEmailPage() {
  return (
    <>
      <h1 className="font-semibold text-2xl">Check your e-mail</h1>
      <p className="mt-1 text-muted">
        A mail is on its way to you. Open its link and press the button there: your account is made
        then, with its starting credits. The link works for 24 hours.
      </p>
      <p className="mt-4 text-muted text-sm">
        Nothing there after a few minutes? Look among the spam, or{" "}
        <Link href="/sign-up" className="font-medium text-accent underline underline-offset-4">
          sign up again
        </Link>{" "}
        for another one.
      </p>
    </>
  );
}
