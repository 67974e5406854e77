"use client";
import { parseAsString, useQueryState } from "nuqs";
import { useCallback, useState } from "react";
import { ChatPane } from "./chat-pane";
import { ConversationPicker } from "./conversation-picker";

const isUuidLike = (text: string | null): text is string => text !== null && /^[0-9a-f-]{36}$/i.test(text);

/** The conversations with the super-agent beside the one in view; without one in the address a fresh one begins. */
export function SuperAgent() {
  const [asked, setConversation] = useQueryState("conversation", parseAsString);
  const conversationId = isUuidLike(asked) ? asked : null;
  const [fresh, setFresh] = useState(0);
  // The conversation that began in the fresh pane: the pane, and the stream in it, stay when the address learns its id.
  const [begun, setBegun] = useState<string | null>(null);
  const begin = useCallback(
    (id: string) => {
      setBegun(id);
      void setConversation(id);
    },
    [setConversation],
  );
  const startAfresh = useCallback(() => {
    setBegun(null);
    setFresh((count) => count + 1);
    void setConversation(null);
  }, [setConversation]);
  const inFreshPane = conversationId === null || conversationId === begun;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-[minmax(0,1fr)_18rem]">
      <ChatPane
        key={inFreshPane ? `fresh-${fresh}` : conversationId}
        conversationId={conversationId}
        onBegun={begin}
        onLeft={startAfresh}
      />
      <ConversationPicker conversationId={conversationId} onPick={(id) => void setConversation(id)} onNew={startAfresh} />
    </div>
  );
}
