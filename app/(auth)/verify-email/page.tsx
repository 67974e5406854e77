import type { Metadata } from "next";
import { VerifyEmail } from "../mailed-link-forms";

export const metadata: Metadata = { title: "Confirm your address" };

export default async function VerifyEmailPage({ searchParams }: { searchParams: Promise<Record<string, string | string[] | undefined>> }) {
  const { token } = await searchParams;
  return <VerifyEmail token={typeof token === "string" ? token : ""} />;
}
