import type { Metadata } from "next";
import { findSession } from "@/lib/api/console/session";
import { VerifyEmail } from "../mailed-link-forms";

export const metadata: Metadata = { title: "Confirm your address" };

export default async function VerifyEmailPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const { token } = await searchParams;
  const session = await findSession();
  return (
    <VerifyEmail
      queryToken={typeof token === "string" ? token : ""}
      isSignedIn={session !== null}
    />
  );
}
