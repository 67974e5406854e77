import type { Metadata } from "next";
import { ResetPasswordForm } from "../mailed-link-forms";

export const metadata: Metadata = { title: "Choose a new password" };

export default async function ResetPasswordPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const { token } = await searchParams;
  return (
    <>
      <h1 className="font-semibold text-2xl">Choose a new password</h1>
      <p className="mt-1 mb-7 text-muted">It ends every session of yours, on every device.</p>
      <ResetPasswordForm queryToken={typeof token === "string" ? token : ""} />
    </>
  );
}
