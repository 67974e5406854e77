import type { Metadata } from "next";
import { Badge } from "@/components/ui/badge";
import { IdChip } from "@/components/ui/id-chip";
import { PageHeader } from "@/components/ui/page-header";
import { consolePaths } from "@/lib/console/console-paths";
import type { ConversationWithMessages } from "@/lib/console/shapes/conversation";
import { Hydrate } from "../../_shared/hydrate";
import { readOrNotFound } from "../../_shared/read-or-not-found";
import { FAMILY_NAMES } from "../conversation-families";
import { conversationTitle } from "../conversation-title";
import { ConversationActions } from "./conversation-actions";
import { ConversationView } from "./conversation-view";

interface ConversationPageProps {
  params: Promise<{ conversationId: string }>;
}

export const metadata: Metadata = { title: "Conversation" };

export default async function ConversationPage({ params }: ConversationPageProps) {
  const { conversationId } = await params;
  const path = consolePaths.conversation(conversationId);
  const conversation = await readOrNotFound<ConversationWithMessages>(path);
  const id = conversation.conversation_id;
  return (
    <Hydrate
      paths={[consolePaths.agents({ limit: 100 }), consolePaths.workspaces, consolePaths.models]}
      pages={[path, consolePaths.runs({ conversation_id: id })]}
    >
      <PageHeader
        back={{ href: "/conversations", label: "Conversations" }}
        title={<span className="line-clamp-2 [overflow-wrap:anywhere]">{conversationTitle(conversation.title)}</span>}
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
