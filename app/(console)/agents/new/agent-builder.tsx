"use client";
import { parseAsString, useQueryState } from "nuqs";
import { type KeyboardEvent, type ReactNode, useEffect, useId, useState } from "react";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Shortcut } from "@/components/ui/shortcut";
import { messageOf } from "@/lib/console/api";
import { useRunStream } from "@/lib/console/transcript/use-run-stream";
import { withFormLines } from "@/lib/model/agent-config/agent-form";
import { INPUT_MAX_CHARACTERS } from "@/lib/model/limits";
import { isUuid } from "@/lib/model/uuid";
import { isStored, NewAgentCard, useStartAgentCreation } from "../../_run/agent-creation";
import { LiveRun, useStreamEnd } from "../../_run/live-run";
import { TemplateGallery } from "../template-gallery";
import { NO_SETTINGS, SettingFields } from "./setting-fields";

/**
 * From a sentence to an agent, live. The run's id stands in the address, so that a reload goes on
 * watching.
 */
export function AgentBuilder({
  initialInput,
  initialConversationId,
}: {
  initialInput: string;
  initialConversationId: string | null;
}) {
  const [input, setInput] = useState(initialInput);
  const [settings, setSettings] = useState(NO_SETTINGS);
  const [runId, setRunId] = useQueryState("run", parseAsString);
  const stream = useRunStream();
  const { follow, transcript } = stream;
  useStreamEnd(transcript);
  const create = useStartAgentCreation((run) => {
    setInput("");
    setSettings(NO_SETTINGS);
    void setRunId(run.run_id);
  });
  useEffect(() => {
    if (runId && isUuid(runId)) follow(runId);
  }, [runId, follow]);
  const conversationId = transcript.conversationId ?? initialConversationId;
  const loading = create.isPending || (stream.state !== null && stream.state !== "ended");
  const isFollowUp = conversationId !== null && transcript.status !== "pending";
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <LiveRun stream={stream} label="Agent being built">
        {transcript.status === "completed" && transcript.agentId && isStored(transcript.result) && (
          <div className="mt-5">
            <NewAgentCard
              agentId={transcript.agentId}
              name={transcript.result?.agent_name ?? "Your agent"}
            />
          </div>
        )}
      </LiveRun>
      {create.error && (
        <Alert tone="danger" title="The agent was not started" alert>
          {messageOf(create.error)}
        </Alert>
      )}
      {!loading && (
        <PromptBox
          value={input}
          onChange={setInput}
          label={isFollowUp ? "Say more" : "What should the agent do?"}
          placeholder={
            isFollowUp
              ? "Say what to do differently; the conversation so far is kept."
              : "An agent that reads … and writes …"
          }
          action={isFollowUp ? "Send" : "Create agent"}
          onSubmit={() => create.mutate({ input: withFormLines(input, settings), conversationId })}
        >
          {!isFollowUp && <SettingFields values={settings} onChange={setSettings} />}
        </PromptBox>
      )}
      {stream.state === null && !loading && <TemplateGallery />}
    </div>
  );
}

interface PromptBoxProps {
  value: string;
  onChange: (value: string) => void;
  onSubmit: () => void;
  label: string;
  placeholder: string;
  action: string;
  /** Below the text. */
  children: ReactNode;
}

/** A big box for a request in words. Ctrl or ⌘ with Enter sends it. */
function PromptBox({
  value,
  onChange,
  onSubmit,
  label,
  placeholder,
  action,
  children,
}: PromptBoxProps) {
  const id = useId();
  const ready = value.trim() !== "";
  const sendOnEnter = (event: KeyboardEvent) => {
    if (event.key === "Enter" && (event.metaKey || event.ctrlKey) && ready) onSubmit();
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (ready) onSubmit();
      }}
      className="rounded-xl border border-line-strong bg-surface shadow-low transition-colors focus-within:border-accent"
    >
      <label htmlFor={id} className="block px-4 pt-3.5 font-medium text-sm">
        {label}
      </label>
      <textarea
        id={id}
        value={value}
        maxLength={INPUT_MAX_CHARACTERS}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={sendOnEnter}
        placeholder={placeholder}
        className="field-sizing-content block max-h-[50dvh] min-h-28 w-full resize-none bg-transparent px-4 py-2 text-lg leading-relaxed outline-none placeholder:text-faint"
      />
      {children}
      <div className="flex items-center justify-end gap-3 px-3 pb-3">
        <span aria-hidden="true" className="hidden items-center gap-1 sm:flex">
          <Shortcut letter="↵" />
        </span>
        <Button type="submit" variant="primary" disabled={!ready}>
          {action}
        </Button>
      </div>
    </form>
  );
}
