"use client";
import { yamlLanguage } from "@codemirror/lang-yaml";
import type { EditorState, Extension } from "@codemirror/state";
import { CircleAlert, TriangleAlert } from "lucide-react";
import { useEffect, useId, useMemo, useRef, useState } from "react";
import { Alert } from "@/components/ui/alert";
import { Card, CardHeader } from "@/components/ui/card";
import { CopyButton } from "@/components/ui/copy-button";
import type { Agent } from "@/lib/client/schemas";
import { withLineEndsOf } from "@/lib/console/agent-edit/use-agent-draft";
import { completeConfig } from "@/lib/console/config/complete-config";
import {
  checkConfigDraft,
  type TextProblem,
  toTextProblems,
} from "@/lib/console/config/config-draft";
import { useConsoleQuery } from "@/lib/console/queries";
import { reads } from "@/lib/console/reads";
import { AGENT_CONFIG_JSON_SCHEMA } from "@/lib/model/agent-config/agent-config-json-schema";
import type { AgentConfig } from "@/lib/model/agent-config/agent-config-schema";
import type { JsonObject } from "@/lib/model/json-schema/json-value";
import { CONFIG_CONTENT_MAX_CHARACTERS } from "@/lib/model/limits";
import type { CodeEditorHandle } from "../../../_editor/editor-setup";
import { LazyCodeEditor } from "../../../_editor/lazy-editors";
import { ConfigSummary } from "./config-summary";
import { ImportOpenapi } from "./import-openapi";
import { LazyConflictView, OutdatedNotice, SaveBar, SaveProblem } from "./save-bar";
import { useTextEditing } from "./use-text-editing";

/** The agent's config as YAML, checked as it is written, with what it comes to beside it. */
export function ConfigEditor({ agent }: { agent: Agent }) {
  const editing = useTextEditing(agent, "config_content", "Config");
  const { draft, conflict, error } = editing;
  const { data: models } = useConsoleQuery(reads.models);
  const names = useMemo(
    () => models?.data.flatMap(({ model, aliases }) => [...aliases, model]) ?? null,
    [models],
  );
  const checked = useCheckedConfig(draft.text, names);
  const completion = useMemo(() => configCompletion(names ?? []), [names]);
  const refused = useMemo(() => (error ? toTextProblems(error, "config_content") : []), [error]);
  const problems = useMemo(
    () => withRefused(checked.problems, refused),
    [checked.problems, refused],
  );
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
          {archived || <ImportOpenapi text={draft.text} onInsert={draft.edit} />}
          <CopyButton text={draft.text} what="config" />
        </CardHeader>
        {draft.outdated && <OutdatedNotice what="config" />}
        {error &&
          (refused.length > 0 ? <Refused count={refused.length} /> : <SaveProblem error={error} />)}
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
          <SaveBar
            editing={editing}
            what="config"
            size={<Size characters={length} />}
            disabledReason={disabledReasonOf(length)}
          >
            <ProblemList
              id={listId}
              problems={problems}
              onPick={(problem) => editor.current?.goTo(problem)}
            />
          </SaveBar>
        )}
      </Card>
      <ConfigSummary
        config={checked.lastGood}
        stale={checked.config === null}
        models={models ?? null}
      />
    </div>
  );
}

function Refused({ count }: { count: number }) {
  return (
    <Alert tone="danger" title="This was not saved" alert className="m-4">
      The text has {count === 1 ? "an error" : `${count} errors`}, marked below. Nothing was
      changed; correct {count === 1 ? "it" : "them"} and save again.
    </Alert>
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
      {characters.toLocaleString("en")} of {CONFIG_CONTENT_MAX_CHARACTERS.toLocaleString("en")}{" "}
      characters
    </span>
  );
}

/** A text with errors may be sent: the service has the last word on them. */
function disabledReasonOf(length: number): string | null {
  const over = length - CONFIG_CONTENT_MAX_CHARACTERS;
  return over > 0
    ? `Too long by ${over.toLocaleString("en")} characters. Shorten it to save.`
    : null;
}

interface CheckedText {
  config: AgentConfig | null;
  /** What the text said when it last fitted. */
  lastGood: AgentConfig | null;
  problems: readonly TextProblem[];
}

/** A large text takes longer to check than to type. */
const PAUSE_MS = 150;

/**
 * The text as the service would read it, a moment after the last key. `models` null: the list is
 * not here yet, and models are not looked up.
 */
function useCheckedConfig(text: string, models: readonly string[] | null): CheckedText {
  const [checked, setChecked] = useState<CheckedText>(() => check(text, models, null));
  useEffect(() => {
    const timer = setTimeout(
      () => setChecked((before) => check(text, models, before.lastGood)),
      PAUSE_MS,
    );
    return () => clearTimeout(timer);
  }, [text, models]);
  return checked;
}

function check(
  text: string,
  models: readonly string[] | null,
  lastGood: AgentConfig | null,
): CheckedText {
  const { config, problems } = checkConfigDraft(
    text,
    models ? { isKnownModel: (model) => models.includes(model) } : {},
  );
  return { config, problems, lastGood: config ?? lastGood };
}

/**
 * What the editor hands over; it asks by itself after each letter, and `explicit`ly at Ctrl-Space.
 */
interface CompletionRequest {
  state: EditorState;
  pos: number;
  explicit: boolean;
}

const LINES_MAX = 2_000;
const SCHEMA = AGENT_CONFIG_JSON_SCHEMA as unknown as JsonObject; // a schema is JSON

/** Offers the keys and values that the config's schema knows at the cursor. */
function configCompletion(models: readonly string[]): Extension {
  return yamlLanguage.data.of({
    autocomplete: (request: CompletionRequest) => complete(request, models),
  });
}

function complete({ state, pos, explicit }: CompletionRequest, models: readonly string[]) {
  const line = state.doc.lineAt(pos);
  const first = state.doc.line(Math.max(1, line.number - LINES_MAX));
  const found = completeConfig(state.sliceDoc(first.from, pos).split("\n"), SCHEMA, models);
  if (!found || (found.length === 0 && !explicit)) return null;
  return {
    from: pos - found.length,
    options: found.options.map(({ label, info, kind }) => ({
      label,
      type: kind === "key" ? "property" : "enum",
      apply: kind === "key" && state.sliceDoc(pos, pos + 1) !== ":" ? `${label}: ` : label,
      ...(info ? { info } : {}),
    })),
    validFor: /^[\w./-]*$/,
  };
}

interface ProblemListProps {
  id: string;
  problems: readonly TextProblem[];
  onPick: (problem: TextProblem) => void;
}

/** What is wrong in a text, line by line; a press leads there. Read out when it changes. */
function ProblemList({ id, problems, onPick }: ProblemListProps) {
  return (
    <div
      id={id}
      role="status"
      aria-label="Problems"
      className={problems.length > 0 ? "border-line border-b bg-sunken" : undefined}
    >
      {problems.length > 0 && (
        <ul className="max-h-32 overflow-y-auto py-1.5">
          {problems.map((problem) => (
            <li key={`${problem.line} ${problem.column} ${problem.message}`}>
              <button
                type="button"
                onClick={() => onPick(problem)}
                className="flex w-full items-start gap-2 px-4 py-1.5 text-left text-xs transition-colors hover:bg-hover focus-visible:-outline-offset-2"
              >
                <Mark severity={problem.severity} />
                <span className="min-w-0 [overflow-wrap:anywhere]">
                  <span className="text-muted">
                    Line {problem.line}, column {problem.column}
                    {problem.path && <code className="font-mono"> {problem.path}</code>}:
                  </span>{" "}
                  {problem.message}
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Mark({ severity }: { severity: TextProblem["severity"] }) {
  const Icon = severity === "error" ? CircleAlert : TriangleAlert;
  return (
    <>
      <Icon
        aria-hidden="true"
        className={
          severity === "error"
            ? "mt-px size-4 shrink-0 text-danger"
            : "mt-px size-4 shrink-0 text-warning"
        }
      />
      <span className="sr-only">{severity === "error" ? "Error" : "Warning"}</span>
    </>
  );
}
