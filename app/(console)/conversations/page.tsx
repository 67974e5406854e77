import type { Metadata } from "next";
import { PageHeader } from "@/components/ui/page-header";
import { reads } from "@/lib/console/reads";
import { Hydrate } from "../_shared/first-paint";
import { toFamily } from "./conversation-labels";
import { ConversationList } from "./conversation-list";

export const metadata: Metadata = { title: "Conversations" };

interface ConversationsPageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function ConversationsPage({ searchParams }: ConversationsPageProps) {
  const { family } = await searchParams;
  return (
    <Hydrate pages={[reads.conversations({ family: toFamily(String(family ?? "all")) })]}>
      <PageHeader
        title="Conversations"
        description="Runs that go on from one another, with what was said before in view."
      />
      <ConversationList />
    </Hydrate>
  );
}
