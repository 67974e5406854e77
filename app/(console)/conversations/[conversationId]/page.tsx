import type { Metadata } from "next";
import { Badge } from "@/components/ui/badge";
import { IdChip } from "@/components/ui/id-chip";
import { PageHeader } from "@/components/ui/page-header";
import { reads } from "@/lib/console/reads";
import { Hydrate, readOrNotFound } from "../../_shared/first-paint";
import { conversationTitle, FAMILY_NAMES } from "../conversation-labels";
import { ConversationActions, ConversationView } from "./conversation-view";

interface ConversationPageProps {
  params: Promise<{ conversationId: string }>;
}

export const metadata: Metadata = { title: "Conversation" };

export default async function ConversationPage({ params }: ConversationPageProps) {
  const { conversationId } = await params;
  const path = reads.conversation(conversationId);
  const conversation = await readOrNotFound(path);
  const id = conversation.conversation_id;
  return (
    <Hydrate
      reads={[reads.agents({ limit: 100 }), reads.workspaces, reads.models]}
      pages={[path, reads.runs({ conversation_id: id })]}
    >
      <PageHeader
        back={{ href: "/conversations", label: "Conversations" }}
        title={
          <span className="line-clamp-2 [overflow-wrap:anywhere]">
            {conversationTitle(conversation.title)}
          </span>
        }
        description={
          <span className="flex flex-wrap items-center gap-2">
            <Badge>{FAMILY_NAMES[conversation.family]}</Badge>
            <IdChip id={id} what="conversation id" />
          </span>
        }
      >
        <ConversationActions conversationId={id} />
      </PageHeader>
      <ConversationView conversationId={id} family={conversation.family} />
    </Hydrate>
  );
}
