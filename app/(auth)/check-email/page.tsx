import type { Metadata } from "next";
import { Link } from "@/components/ui/link";

export const metadata: Metadata = { title: "Check your e-mail" };

/** The same for an address that has an account already: only its mailbox is told. */
export default function CheckEmailPage() {
  return (
    <>
      <h1 className="font-semibold text-2xl">Check your e-mail</h1>
      <p className="mt-1 text-muted">
        A mail is on its way to you. Open its link to confirm your address: your starting credits come with it. It works for 24 hours.
      </p>
      <p className="mt-4 text-muted text-sm">
        Nothing there after a few minutes? Look among the spam, or{" "}
        <Link href="/sign-in" className="font-medium text-accent underline underline-offset-4">
          sign in
        </Link>{" "}
        and ask for another mail in the settings.
      </p>
    </>
  );
}
