"use client";
import dynamic from "next/dynamic";
import { type ReactNode, useEffect } from "react";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import { Shortcut } from "@/components/ui/shortcut";
import { Skeleton } from "@/components/ui/skeleton";
import { isRefusal, messageOf } from "@/lib/console/api";
import { RELEASE_NOTE_MAX_CHARACTERS } from "@/lib/model/limits";
import type { TextEditing } from "./use-text-editing";

interface SaveBarProps {
  editing: TextEditing;
  /** “skill”, for the names of the buttons. */
  what: string;
  /** How large the text is. */
  size: ReactNode;
  /** Why it cannot be saved now. */
  disabledReason: string | null;
  /** Kept in view above it. */
  children?: ReactNode;
}

/**
 * The foot of an editor: its size and state, a note for the new version, and save. Cmd-S and Ctrl-S
 * save from anywhere on the page.
 */
export function SaveBar({
  editing: { draft, loading, save, discard },
  what,
  size,
  disabledReason,
  children,
}: SaveBarProps) {
  const ready = draft.dirty && !disabledReason;
  const submit = () => {
    if (ready && !loading) save();
  };
  useSaveKey(submit);
  return (
    <div className="sticky bottom-0 z-10 overflow-hidden rounded-b-lg border-line border-t bg-surface">
      {children}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
        className="flex flex-wrap items-center gap-2 px-4 py-2.5"
      >
        <div className="min-w-0 flex-1 basis-40 text-faint text-xs">
          {size}
          {/* Not the size, which would be read out at every key. */}
          <span role="status">
            {draft.dirty && <span className="text-warning"> · Unsaved changes</span>}
            {disabledReason && <span className="block text-danger">{disabledReason}</span>}
          </span>
        </div>
        {draft.dirty && (
          <Input
            aria-label="Release note"
            placeholder="Release note (optional)"
            value={draft.note}
            maxLength={RELEASE_NOTE_MAX_CHARACTERS}
            onChange={(event) => draft.describe(event.target.value)}
            className="h-8 text-sm sm:w-64"
          />
        )}
        {draft.dirty && (
          <Button variant="ghost" onClick={discard} disabled={loading}>
            Discard
          </Button>
        )}
        <Button
          type="submit"
          variant="primary"
          aria-label={`Save ${what}`}
          disabled={!ready}
          loading={loading}
          className="max-sm:flex-1"
        >
          Save
          <span aria-hidden="true" className="hidden lg:inline">
            <Shortcut letter="S" onColour />
          </span>
        </Button>
      </form>
    </div>
  );
}

function useSaveKey(submit: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (
        event.key.toLowerCase() !== "s" ||
        !(event.metaKey || event.ctrlKey) ||
        event.shiftKey ||
        event.altKey
      )
        return;
      // Never the browser's own “save page”, even when there is nothing to save.
      event.preventDefault();
      submit();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  });
}

/** Why a save was refused, and what becomes of the text. */
export function SaveProblem({ error }: { error: Error }) {
  return (
    <Alert tone="danger" title="This was not saved" alert className="m-4">
      {messageOf(error)} {advice(error)}
    </Alert>
  );
}

function advice(error: Error): string {
  if (!isRefusal(error)) return "Your text is still here.";
  if (error.status === 429) {
    const minutes = error.retryAfter ? Math.ceil(error.retryAfter / 60) : null;
    return minutes
      ? `Your text stays here: save again in about ${minutes} min.`
      : "Your text stays here: save again in a while.";
  }
  if (error.status === 404)
    return "The agent is not there any more. Copy your text if you need it.";
  return "Your text is still here.";
}

/** Told while the person still writes, not only when they save. */
export function OutdatedNotice({ what }: { what: string }) {
  return (
    <Alert
      tone="warning"
      title={`This ${what} was changed by somebody else meanwhile`}
      className="m-4"
    >
      Go on as you like: when you save, you see both changes and decide. Nothing is overwritten.
    </Alert>
  );
}

/** Comparing texts brings the whole editor with it, and few people ever meet a conflict. */
export const LazyConflictView = dynamic(
  () => import("./conflict-view").then((module) => module.ConflictView),
  {
    ssr: false,
    loading: () => <Skeleton className="h-96 rounded-lg" />,
  },
);
