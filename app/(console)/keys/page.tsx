import type { Metadata } from "next";
import { PageHeader } from "@/components/ui/page-header";
import { reads } from "@/lib/console/reads";
import { CreateKeyButton, KeyList } from "../_keys/key-list";
import { Hydrate } from "../_shared/first-paint";
export const metadata: Metadata = { title: "API keys" };

export default function KeysPage() {
  return (
    <Hydrate reads={[reads.agents({ limit: 100 })]} pages={[reads.keys]}>
      <PageHeader
        title="API keys"
        description={
          "Account keys speak for the whole account; app keys run one agent and nothing else. " +
          "Keep both on your servers."
        }
      >
        <CreateKeyButton />
      </PageHeader>
      <KeyList />
    </Hydrate>
  );
}
