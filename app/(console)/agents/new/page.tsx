import type { Metadata } from "next";
import { PageHeader } from "@/components/ui/page-header";
import { reads } from "@/lib/console/reads";
import { isUuid } from "@/lib/model/uuid";
import { Hydrate } from "../../_shared/first-paint";
import { AgentBuilder } from "./agent-builder";

export const metadata: Metadata = { title: "Create agent" };

interface NewAgentPageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function NewAgentPage({ searchParams }: NewAgentPageProps) {
  const { input, conversation_id: conversation } = await searchParams;
  const conversationId =
    typeof conversation === "string" && isUuid(conversation) ? conversation : null;
  return (
    <Hydrate reads={[reads.models]} pages={[reads.templates]}>
      <div className="mx-auto max-w-3xl">
        <PageHeader
          back={{ href: "/agents", label: "Agents" }}
          title={conversationId ? "Go on with this agent" : "Create an agent"}
          description={
            "Say what it should do, from what, and what should come out. A run builds it while " +
            "you watch."
          }
        />
        <AgentBuilder
          initialInput={typeof input === "string" ? input.slice(0, 4000) : ""}
          initialConversationId={conversationId}
        />
      </div>
    </Hydrate>
  );
}
