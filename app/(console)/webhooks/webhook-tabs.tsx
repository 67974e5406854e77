"use client";
import { parseAsStringLiteral, useQueryState } from "nuqs";
import { Tab, TabList, TabPanel, Tabs } from "@/components/ui/tabs";
import { Deliveries } from "./deliveries";
import { SigningSecret } from "./signing-secret";
import { VerificationSnippets } from "./verification-snippets";

const TABS = ["deliveries", "signing"] as const;

/** What was sent, and how a receiver knows that it came from here. */
export function WebhookTabs() {
  const [tab, setTab] = useQueryState("tab", parseAsStringLiteral(TABS).withDefault("deliveries"));
  return (
    <Tabs value={tab} onValueChange={(value) => void setTab(TABS.find((name) => name === value) ?? "deliveries")}>
      <TabList aria-label="Parts of webhooks">
        <Tab value="deliveries">Deliveries</Tab>
        <Tab value="signing">Signing</Tab>
      </TabList>
      <TabPanel value="deliveries">
        <Deliveries />
      </TabPanel>
      <TabPanel value="signing" className="grid grid-cols-[minmax(0,1fr)] gap-6">
        <SigningSecret />
        <VerificationSnippets />
      </TabPanel>
    </Tabs>
  );
}
