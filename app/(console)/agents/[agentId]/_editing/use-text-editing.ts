"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import { toast } from "sonner";
import { offerToast } from "@/components/ui/offer-toast";
import type { Agent } from "@/lib/client/schemas";
import { type SaveOutcome, saveAgent } from "@/lib/console/agent-edit/save-agent";
import {
  type AgentDraft,
  type DraftField,
  useAgentDraft,
  withLineEndsOf,
} from "@/lib/console/agent-edit/use-agent-draft";
import { queryKey, reads } from "@/lib/console/reads";

export interface TextEditing {
  draft: AgentDraft;
  loading: boolean;
  /** Why the last save was refused; gone with the next change of the text. */
  error: Error | null;
  /** The agent as somebody else left it meanwhile: a person has to decide. */
  conflict: Agent | null;
  save: () => void;
  /** Stores `text` (as the editor holds it) in place of what the conflict showed. */
  saveOver: (conflict: Agent, text: string) => void;
  takeTheirs: (conflict: Agent) => void;
  discard: () => void;
  leaveConflict: () => void;
}

/**
 * One text of an agent on its way from the stored one to the next. Nobody else's change is
 * overwritten unseen, and no draft is lost unasked.
 */
export function useTextEditing(agent: Agent, field: DraftField, what: string): TextEditing {
  const draft = useAgentDraft(agent.agent_id, field, agent[field]);
  const { send, loading, refused, conflict, setConflict } = useSave(
    agent.agent_id,
    field,
    what,
    draft,
  );
  const take = useAgentSaved();
  return {
    draft,
    loading,
    error: refused?.text === draft.text ? refused.error : null,
    conflict,
    save: () => draft.dirty && !loading && send(draft.base, draft.text),
    saveOver: (theirs, text) => {
      draft.rebase(theirs[field], text);
      send(theirs[field], text);
    },
    takeTheirs: (theirs) => {
      const { text } = draft;
      take(theirs);
      draft.discard();
      setConflict(null);
      offerToast("Your text was put aside.", {
        label: "Bring it back",
        onClick: () => draft.rebase(theirs[field], text),
      });
    },
    discard: () => {
      const { base, text } = draft;
      draft.discard();
      offerToast("Your changes were discarded.", {
        label: "Undo",
        onClick: () => draft.rebase(base, text),
      });
    },
    leaveConflict: () => setConflict(null),
  };
}

/** What is sent, and what came back. */
function useSave(agentId: string, field: DraftField, what: string, draft: AgentDraft) {
  const [conflict, setConflict] = useState<Agent | null>(null);
  const [refused, setRefused] = useState<{ error: Error; text: string } | null>(null);
  const take = useAgentSaved();
  const { mutate, isPending } = useMutation<SaveOutcome, Error, { base: string; text: string }>({
    mutationFn: ({ base, text }) => {
      const change = { [field]: withLineEndsOf(base, text) };
      return saveAgent({
        agentId,
        base: { [field]: base },
        change,
        releaseNote: draft.note.trim(),
      });
    },
    onMutate: () => setRefused(null),
    onSuccess: (answer, sent) => {
      setConflict(answer.outcome === "conflict" ? answer.agent : null);
      if (answer.outcome === "conflict") return;
      take(answer.agent);
      draft.settle(sent.text, answer.agent[field]);
      toast.success(`${what} saved.`);
    },
    onError: (error, { text }) => {
      setConflict(null);
      setRefused({ error, text });
    },
  });
  return {
    send: (base: string, text: string) => mutate({ base, text }),
    loading: isPending,
    refused,
    conflict,
    setConflict,
  };
}

/**
 * Takes an agent as the service answered it into every place that shows it: at once on its page,
 * and read again in lists.
 */
export function useAgentSaved(): (agent: Agent) => void {
  const client = useQueryClient();
  return useCallback(
    (agent) => {
      client.setQueryData(queryKey(reads.agent(agent.agent_id)), agent);
      void client.invalidateQueries({ queryKey: queryKey("/v1/agents") });
    },
    [client],
  );
}
