import type { Metadata } from "next";
import { PageHeader } from "@/components/ui/page-header";
import { requireSession } from "@/lib/api/console/session";
import { reads } from "@/lib/console/reads";
import { Hydrate } from "../../_shared/first-paint";
import { NoAccess } from "../no-access";
import { Profile } from "./profile";

export const metadata: Metadata = { title: "Product profile" };

export default async function ProductProfilePage() {
  const { principal, user } = await requireSession();
  return (
    <div className="max-w-3xl">
      <PageHeader
        back={{ href: "/super-agent", label: "Super-agent" }}
        title="Product profile"
        description={
          "What the super-agent knows of your product before you say a word. Fill in what you " +
          "like; all of it is optional."
        }
      />
      {principal.superAgentAccess ? (
        <Hydrate reads={[reads.productProfile]}>
          <Profile />
        </Hydrate>
      ) : (
        <NoAccess email={user.email} />
      )}
    </div>
  );
}
