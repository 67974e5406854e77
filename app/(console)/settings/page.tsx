import type { Metadata } from "next";
import type { ReactNode } from "react";
import { Card, CardHeader } from "@/components/ui/card";
import { CopyButton } from "@/components/ui/copy-button";
import { PageHeader } from "@/components/ui/page-header";
import { requireSession } from "@/lib/api/console/session";
import { PasswordForm } from "./password-form";

export const metadata: Metadata = { title: "Settings" };

export default async function SettingsPage() {
  const { user, account_id } = await requireSession();
  return (
    <div className="max-w-2xl">
      <PageHeader title="Settings" description="Who you are here, and how you sign in." />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
        <Card aria-label="Account">
          <CardHeader title="Account" />
          <dl className="grid gap-3 px-4 py-4 text-sm">
            <Row name="Name">{user.name || "–"}</Row>
            <Row name="Email">{user.email}</Row>
            <Row name="Account id">
              <span className="inline-flex min-w-0 items-center gap-1">
                <span className="truncate font-mono text-xs">{account_id}</span>
                <CopyButton text={account_id} what="account id" className="size-6" />
              </span>
            </Row>
          </dl>
        </Card>
        <Card aria-label="Password">
          <CardHeader title="Password" note="changing it signs you out everywhere" />
          <div className="p-4">
            <PasswordForm email={user.email} />
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
      <dd className="min-w-0 truncate">{children}</dd>
    </div>
  );
}
