import type { Metadata } from "next";
import { Alert } from "@/components/ui/alert";
import { PageHeader } from "@/components/ui/page-header";
import { reads } from "@/lib/console/reads";
import { signUpPolicy } from "@/lib/domain/account/sign-up";
import { Hydrate, readOrNotFound } from "../../_shared/first-paint";
import { InvitationList, InviteForm } from "./invitations";
export const metadata: Metadata = { title: "Invitations" };

export default async function InvitationsPage() {
  // The operation decides who is an admin: for everybody else this page is not there.
  await readOrNotFound(reads.adminInvitations);
  return (
    <Hydrate pages={[reads.adminInvitations]}>
      <PageHeader
        title="Invitations"
        description="Whom you invite may make an account by a link that works once, for seven days."
        back={{ href: "/admin", label: "Accounts" }}
      />
      {signUpPolicy() === "closed" && (
        <Alert
          tone="warning"
          title="Nobody can sign up here, not by invitation either"
          className="mb-6"
        >
          The operator has closed it: links work again with SIGN_UP=invite or SIGN_UP=open.
        </Alert>
      )}
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
        <InviteForm />
        <InvitationList />
      </div>
    </Hydrate>
  );
}
