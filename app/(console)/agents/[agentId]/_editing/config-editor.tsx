"use client";
import { useEffect, useId, useMemo, useRef } from "react";
import { Card, CardHeader } from "@/components/ui/card";
import { CopyButton } from "@/components/ui/copy-button";
import { Notice } from "@/components/ui/notice";
import { withLineEndsOf } from "@/lib/console/agent-edit/line-ends";
import type { TextProblem } from "@/lib/console/config/text-problem";
import { toTextProblems } from "@/lib/console/config/to-text-problems";
import { consolePaths } from "@/lib/console/console-paths";
import type { AgentRecord } from "@/lib/console/shapes/agent";
import type { ModelList } from "@/lib/console/shapes/model-info";
import { useConsoleQuery } from "@/lib/console/use-console-query";
import { CONFIG_CONTENT_MAX_CHARACTERS } from "@/lib/model/limits";
import type { CodeEditorHandle } from "../../../_editor/code-editor-props";
import { LazyCodeEditor } from "../../../_editor/lazy-editors";
import { configCompletion } from "./config-completion";
import { ConfigSummary } from "./config-summary";
import { LazyConflictView } from "./lazy-conflict-view";
import { OutdatedNotice } from "./outdated-notice";
import { ProblemList } from "./problem-list";
import { SaveBar } from "./save-bar";
import { SaveProblem } from "./save-problem";
import { useCheckedConfig } from "./use-checked-config";
import { useTextEditing } from "./use-text-editing";

/** The agent's config as YAML, checked as it is written, with what it comes to beside it. */
export function ConfigEditor({ agent }: { agent: AgentRecord }) {
  const editing = useTextEditing(agent, "config_content", "Config");
  const { draft, conflict, error } = editing;
  const { data: models } = useConsoleQuery<ModelList>(consolePaths.models);
  const names = useMemo(() => models?.data.map(({ model }) => model) ?? null, [models]);
  const checked = useCheckedConfig(draft.text, names);
  const completion = useMemo(() => configCompletion(names ?? []), [names]);
  const refused = useMemo(() => (error ? toTextProblems(error, "config_content") : []), [error]);
  const problems = useMemo(() => withRefused(checked.problems, refused), [checked.problems, refused]);
  const editor = useRef<CodeEditorHandle>(null);
  const [firstRefused] = refused;
  useEffect(() => {
    if (firstRefused) editor.current?.goTo(firstRefused);
  }, [firstRefused]);
  const listId = useId();
  if (conflict)
    return (
      <LazyConflictView
        key={conflict.current_version_id}
        editing={editing}
        conflict={conflict}
        field="config_content"
        what="config"
        language="yaml"
      />
    );
  const archived = agent.status === "archived";
  const length = withLineEndsOf(draft.base, draft.text).length;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-[minmax(0,1fr)_17rem]">
      <Card aria-label="Config" className="overflow-visible">
        <CardHeader title="Config" note="model, inputs, tools, permissions, limits">
          <CopyButton text={draft.text} what="config" />
        </CardHeader>
        {draft.outdated && <OutdatedNotice what="config" />}
        {error && (refused.length > 0 ? <Refused count={refused.length} /> : <SaveProblem error={error} />)}
        <LazyCodeEditor
          value={draft.text}
          onChange={draft.edit}
          language="yaml"
          label="Config YAML"
          describedBy={listId}
          readOnly={archived}
          problems={problems}
          extra={completion}
          handle={editor}
        />
        {archived || (
          <SaveBar editing={editing} what="config" size={<Size characters={length} />} hindrance={hindranceOf(length)}>
            <ProblemList id={listId} problems={problems} onPick={(problem) => editor.current?.goTo(problem)} />
          </SaveBar>
        )}
      </Card>
      <ConfigSummary config={checked.lastGood} stale={checked.config === null} defaultModel={models?.default_model ?? null} />
    </div>
  );
}

function Refused({ count }: { count: number }) {
  return (
    <Notice tone="danger" title="This was not saved" alert className="m-4">
      The text has {count === 1 ? "an error" : `${count} errors`}, marked below. Nothing was changed; mend {count === 1 ? "it" : "them"} and
      save again.
    </Notice>
  );
}

/** What the service said and the check here did not: a rule that only the service knows. */
function withRefused(own: readonly TextProblem[], refused: readonly TextProblem[]): TextProblem[] {
  const seen = new Set(own.map(({ line, message }) => `${line} ${message}`));
  return [...own, ...refused.filter(({ line, message }) => !seen.has(`${line} ${message}`))];
}

function Size({ characters }: { characters: number }) {
  return (
    <span className="tabular">
      {characters.toLocaleString("en")} of {CONFIG_CONTENT_MAX_CHARACTERS.toLocaleString("en")} characters
    </span>
  );
}

/** A text with errors may be sent: the service has the last word on them. */
function hindranceOf(length: number): string | null {
  const over = length - CONFIG_CONTENT_MAX_CHARACTERS;
  return over > 0 ? `Too long by ${over.toLocaleString("en")} characters. Shorten it to save.` : null;
}
