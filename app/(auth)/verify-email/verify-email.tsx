"use client";
import { useEffect, useRef, useState } from "react";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { Spinner } from "@/components/ui/spinner";
import { consoleApi } from "@/lib/console/api";
import { messageOf } from "@/lib/console/errors";

type State = { step: "asking" } | { step: "done" } | { step: "failed"; message: string };

/** Uses the link up when a person's browser has opened it: what only fetches links, such as a mail filter, does not. */
export function VerifyEmail({ token }: { token: string }) {
  const [state, setState] = useState<State>({ step: "asking" });
  const asked = useRef(false);
  useEffect(() => {
    // The link works once, and effects may run twice.
    if (asked.current) return;
    asked.current = true;
    consoleApi.post("/verify-email", { body: { token } }).then(
      () => setState({ step: "done" }),
      (error: unknown) => setState({ step: "failed", message: error instanceof Error ? messageOf(error) : "Try again in a moment." }),
    );
  }, [token]);
  if (state.step === "asking") {
    return (
      <p role="status" className="flex items-center gap-2.5 text-muted">
        <Spinner />
        Confirming your address …
      </p>
    );
  }
  return (
    <>
      <h1 className="font-semibold text-2xl">{state.step === "done" ? "Your address is confirmed" : "This did not work"}</h1>
      {state.step === "done" ? (
        <p className="mt-1 text-muted">Your starting credits are in your wallet.</p>
      ) : (
        <Alert tone="danger" title="The address is not confirmed" alert className="mt-4">
          {state.message}
        </Alert>
      )}
      <Button asChild variant="primary" size="large" className="mt-6">
        <Link href="/">Go to the console</Link>
      </Button>
    </>
  );
}
