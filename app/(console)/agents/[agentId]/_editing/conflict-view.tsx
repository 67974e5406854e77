"use client";
import { useMemo, useState } from "react";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Card, CardHeader } from "@/components/ui/card";
import { RelativeTime } from "@/components/ui/relative-time";
import { ToggleGroup } from "@/components/ui/toggle-group";
import type { Agent } from "@/lib/client/schemas";
import { mergeTexts } from "@/lib/console/agent-edit/merge-texts";
import { toEditorText } from "@/lib/console/agent-edit/use-agent-draft";
import type { EditorLanguage } from "../../../_editor/editor-setup";
import { LazyMergeEditor, LazyTextDiff } from "../../../_editor/lazy-editors";
import type { TextEditing } from "./use-text-editing";

interface ConflictViewProps {
  editing: TextEditing;
  conflict: Agent;
  field: "skill_content" | "config_content";
  what: string;
  language: EditorLanguage;
}

const VIEWS = [
  { value: "both", label: "Both in one" },
  { value: "theirs", label: "Their change" },
  { value: "mine", label: "My change" },
] as const;

/** Two people changed one text: what each did, and a way out that loses nothing unseen. */
export function ConflictView({ editing, conflict, field, what, language }: ConflictViewProps) {
  const [view, setView] = useState<(typeof VIEWS)[number]["value"]>("both");
  const theirs = toEditorText(conflict[field]);
  // As they met: while the outcome is being stored, the draft moves on.
  const [{ base, mine }] = useState({
    base: toEditorText(editing.draft.base),
    mine: editing.draft.text,
  });
  const merged = useMemo(() => mergeTexts(base, mine, theirs), [base, mine, theirs]);
  const [text, setText] = useState(merged.text);
  return (
    <Card aria-label={`Conflict of the ${what}`}>
      <CardHeader title={`The ${what} was changed meanwhile`}>
        <ToggleGroup label="Comparison" value={view} options={VIEWS} onChange={setView} />
      </CardHeader>
      <div className="p-4">
        <Alert
          tone="warning"
          alert
          title={
            `Somebody else changed this ${what} while you were editing. Nothing was ` +
            "overwritten."
          }
        >
          Their text was stored as version {conflict.version},{" "}
          <RelativeTime time={conflict.updated_at} />. {toldConflicts(merged.conflicts)}
        </Alert>
      </div>
      <div className="border-line border-y">
        {view === "both" && (
          <LazyMergeEditor
            theirs={theirs}
            value={text}
            onChange={setText}
            language={language}
            label={`Merged ${what}`}
          />
        )}
        {view === "theirs" && (
          <LazyTextDiff
            before={base}
            after={theirs}
            language={language}
            label="Their change"
            whole={false}
          />
        )}
        {view === "mine" && (
          <LazyTextDiff
            before={base}
            after={mine}
            language={language}
            label="My change"
            whole={false}
          />
        )}
      </div>
      <div className="flex flex-wrap items-center gap-2 px-4 py-3">
        <Button variant="ghost" onClick={editing.leaveConflict}>
          Back to my text
        </Button>
        <span className="flex flex-1 flex-wrap justify-end gap-2">
          <Button onClick={() => editing.takeTheirs(conflict)}>Take theirs</Button>
          <Button onClick={() => editing.saveOver(conflict, mine)} disabled={editing.loading}>
            Keep mine
          </Button>
          <Button
            variant="primary"
            onClick={() => editing.saveOver(conflict, text)}
            loading={editing.loading}
          >
            Save both in one
          </Button>
        </span>
      </div>
    </Card>
  );
}

function toldConflicts(count: number): string {
  if (count === 0) return "Both changes fit together: the text below has them both.";
  const places = count === 1 ? "one place" : `${count} places`;
  return (
    `You both changed ${places}: there the text below has your lines, with theirs above them in ` +
    "red."
  );
}
