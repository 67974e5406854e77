import type { Metadata } from "next";
import { PageHeader } from "@/components/ui/page-header";
import { isUuid } from "@/lib/model/uuid";
import { AgentBuilder } from "./agent-builder";

export const metadata: Metadata = { title: "Create agent" };

interface NewAgentPageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function NewAgentPage({ searchParams }: NewAgentPageProps) {
  const { input, conversation_id: conversation } = await searchParams;
  const conversationId = typeof conversation === "string" && isUuid(conversation) ? conversation : null;
  return (
    <div className="mx-auto max-w-3xl">
      <PageHeader
        back={{ href: "/agents", label: "Agents" }}
        title={conversationId ? "Go on with this agent" : "Create an agent"}
        description="Say what it should do, from what, and what should come out. A run builds it while you watch."
      />
      <AgentBuilder initialInput={typeof input === "string" ? input.slice(0, 4000) : ""} initialConversationId={conversationId} />
    </div>
  );
}
