import { readFileSync } from "node:fs";
import { type AccountFixtures, createAccountFixtures } from "./account-fixtures";
import { createAccount } from "./accounts";
import { ApiDocument, type DocumentedOperation } from "./api-document";
import { hostileTexts, spread } from "./hostile-texts";
import { guiltyTexts, LoopWatch } from "./loop-watch";
import { test as base, expect } from "./test";
import { WebhookInbox } from "./webhook-inbox";

const PATTERNS = new URL("../../scripts/checks/linear-patterns.json", import.meta.url);
export const GENERATED = 200;
const LONG = 60_000;
/** What most fields take: a text that is refused for its length is seldom read. */
export const SHORT = 4_000;

/** Texts that once stopped the service, each a repetition and what it fails of. */
const KNOWN_BEFORE = [
  `a@${".".repeat(LONG)}@`,
  `add starters:${" ".repeat(3_000)}`,
  `Add starters: "a"${" ".repeat(8_000)}x`,
  `Remove the ${"a, ".repeat(2_600)}and`,
  `An agent with inputs ${"a, b, and ".repeat(800)}`,
  `http://a${"/".repeat(LONG)}x`,
  `https://a${".".repeat(LONG)}x`,
  `\`\`\`${"\n".repeat(16_000)}x`,
  `${" ".repeat(15_000)}x`,
  `What is the average ${"of the ".repeat(1_100)}fee?`,
  `sum of ${"1 , ".repeat(990)}x`,
  `${"[".repeat(LONG)}`,
  `${"- ".repeat(LONG / 2)}`,
  `${"> ".repeat(2_000)}x`,
  `${"*a_ ".repeat(LONG / 4)}`,
  `${"a:\n ".repeat(LONG / 4)}`,
  `&a [${"*a,".repeat(LONG / 3)}]`,
  `*/${"1,".repeat(LONG / 2)} * * * *`,
];

export interface World {
  owner: AccountFixtures;
  operations: DocumentedOperation[];
  texts: string[];
  watch: LoopWatch;
}

export const test = base.extend<object, { world: World }>({
  world: [
    async ({ serviceUrl, modelUrl, webhookUrl }, use) => {
      const account = await createAccount(serviceUrl, { superAgent: true, credits: 1_000_000 });
      const owner = await createAccountFixtures(account, modelUrl, new WebhookInbox(webhookUrl));
      const { operations } = await ApiDocument.read(account.api);
      // Written by the check.
      const patterns = JSON.parse(readFileSync(PATTERNS, "utf8")) as string[];
      const made = patterns.flatMap((literal, at) =>
        hostileTexts(literal, at % 2 === 0 ? LONG : SHORT),
      );
      const texts = [...KNOWN_BEFORE, ...spread(made, GENERATED)];
      const watch = new LoopWatch(serviceUrl);
      await use({ owner, operations, texts, watch });
      await watch.stop();
    },
    { scope: "worker", timeout: 600_000 },
  ],
});
export async function expectNoWaits(
  { texts, watch }: Pick<World, "texts" | "watch">,
  send: (text: string) => Promise<unknown>,
): Promise<void> {
  expect(await guiltyTexts(watch, texts, send)).toEqual([]);
}
