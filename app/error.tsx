"use client";
import { ErrorMessage } from "@/components/error-message";

export default function RootError(props: { error: unknown; retry: () => void }) {
  return (
    <main>
      <ErrorMessage {...props} />
    </main>
  );
}
