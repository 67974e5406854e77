import type { Metadata } from "next";
import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { Card, CardHeader } from "@/components/ui/card";
import { CopyButton } from "@/components/ui/copy-button";
import { Link } from "@/components/ui/link";
import { PageHeader } from "@/components/ui/page-header";
import { requireSession } from "@/lib/api/console/session";
import { reads } from "@/lib/console/reads";
import { wantsEventMails } from "@/lib/domain/account/event-mails";
import { isMailConfigured } from "@/lib/domain/mail/mailer";
import { Hydrate } from "../_shared/first-paint";
import { DeleteAccount, EmailProof, NameForm, PasswordForm } from "./account-forms";
import { EventMails } from "./event-mails";
import { SecondFactorList } from "./second-factor";
import { SessionList } from "./session-list";

export const metadata: Metadata = { title: "Settings" };

export default async function SettingsPage() {
  const { user, account_id, principal } = await requireSession();
  return (
    <div className="max-w-2xl">
      <PageHeader title="Settings" description="Who you are here, and how you sign in." />
      {isMailConfigured() && !user.is_email_proven && <EmailProof email={user.email} />}
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
        <Card aria-label="Account">
          <CardHeader title="Account" />
          <div className="px-4 pt-4">
            <NameForm name={user.name} />
          </div>
          <dl className="grid gap-3 px-4 py-4 text-sm">
            <Row name="Email">{user.email}</Row>
            <Row name="Account id">
              <span className="flex min-w-0 items-center gap-1">
                <span className="min-w-0 break-all font-mono text-xs">{account_id}</span>
                <CopyButton text={account_id} what="account id" className="size-6" />
              </span>
            </Row>
          </dl>
        </Card>
        <Card aria-label="Notifications">
          <CardHeader title="Notifications" />
          <p className="px-4 py-4 text-muted text-sm">
            What waits for you, and what was paused or switched off by its failures, is told under
            the bell. A run that is started with{" "}
            <code className="font-mono text-xs">"should_notify": true</code> reports there when it
            ends
            {isMailConfigured() ? (
              <>
                , and by e-mail to{" "}
                <span className="text-foreground [overflow-wrap:anywhere]">{user.email}</span>
                {user.is_email_proven ? "." : " once you have confirmed the address."}
              </>
            ) : (
              <>
                . E-mail is not set up on this server: its operator switches it on with{" "}
                <code className="font-mono text-xs">SMTP_URL</code> and{" "}
                <code className="font-mono text-xs">MAIL_FROM</code>.
              </>
            )}
          </p>
          {isMailConfigured() && <EventMails wanted={await wantsEventMails(principal)} />}
        </Card>
        <Hydrate reads={[reads.sessions, reads.allKeys, reads.secondFactor]}>
          <Card aria-label="Password">
            <CardHeader
              title="Password"
              note={user.has_password ? "changing it ends your other sessions" : undefined}
            />
            <div className="p-4">
              {user.has_password ? (
                <PasswordForm email={user.email} />
              ) : (
                <p className="text-muted text-sm">
                  You sign in through another service. This account has no password.
                </p>
              )}
            </div>
          </Card>
          <Card aria-label="Security">
            <CardHeader title="Security" note="beside the password" />
            {user.has_password ? (
              <SecondFactorList />
            ) : (
              <p className="p-4 text-muted text-sm">
                The service that you sign in through is the one to ask for a second factor.
              </p>
            )}
          </Card>
          <Card aria-label="Sessions">
            <CardHeader title="Sessions" note="where you are signed in" />
            <SessionList />
          </Card>
        </Hydrate>
        <Card aria-label="Activity">
          <CardHeader title="Activity" />
          <div className="flex flex-wrap items-center justify-between gap-3 p-4 text-sm">
            <p className="text-muted">
              Sign-ins, keys, secrets and approvals of this account: who, when and from where.
            </p>
            <Button asChild>
              <Link href="/settings/activity">Show activity</Link>
            </Button>
          </div>
        </Card>
        <Card aria-label="Danger zone" className="border-danger-line">
          <CardHeader title="Danger zone" />
          <div className="flex flex-wrap items-center justify-between gap-3 p-4 text-sm">
            <p className="text-muted">Deletes the account with everything it owns, for good.</p>
            <DeleteAccount email={user.email} hasPassword={user.has_password} />
          </div>
        </Card>
      </div>
    </div>
  );
}

function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[6.5rem_minmax(0,1fr)] items-center gap-4">
      <dt className="text-faint">{name}</dt>
      <dd className="min-w-0 [overflow-wrap:anywhere]">{children}</dd>
    </div>
  );
}
