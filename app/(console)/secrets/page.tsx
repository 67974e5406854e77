import type { Metadata } from "next";
import { PageHeader } from "@/components/ui/page-header";
import { reads } from "@/lib/console/reads";
import { Hydrate } from "../_shared/first-paint";
import { AddSecretButton, SecretList } from "./secret-list";
export const metadata: Metadata = { title: "Secrets" };

export default function SecretsPage() {
  return (
    <Hydrate reads={[reads.secretUses]} pages={[reads.secrets]}>
      <PageHeader
        title="Secrets"
        description={
          "Values that connectors send for a run. Stored encrypted, sent only where you allow, " +
          "and never shown again: not here, not by API, not to a model."
        }
      >
        <AddSecretButton />
      </PageHeader>
      <SecretList />
    </Hydrate>
  );
}
