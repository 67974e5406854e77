"use client";
import { useEffect } from "react";
import { FullPageMessage } from "@/components/full-page-message";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";

/**
 * What a reader sees in place of a page that broke. `error` is only written to the console: it may
 * name what is ours alone.
 */
export function ErrorMessage({ error, retry }: { error: unknown; retry: () => void }) {
  useEffect(() => console.error(error), [error]);
  return (
    <FullPageMessage
      caption="500 · broken off"
      title="This page could not be shown"
      action={
        <>
          <Button variant="primary" onClick={() => retry()}>
            Try again
          </Button>
          <Button asChild>
            <Link href="/">Go to the overview</Link>
          </Button>
        </>
      }
    >
      Something went wrong on our side. Nothing that you had started is lost: runs go on without
      this page.
    </FullPageMessage>
  );
}
