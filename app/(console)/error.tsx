"use client";
import { ErrorMessage } from "@/components/error-message";

export default function ConsoleErrorPage(props: { error: unknown; retry: () => void }) {
  return <ErrorMessage {...props} />;
}
