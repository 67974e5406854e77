import "server-only";
import { sendAccountMail } from "@/lib/domain/account/account-mail";
import { eventData } from "@/lib/engine/client";
import type { EngineFunction } from "@/lib/engine/functions";
/**
 * Mails what belongs to an account (a proof, a new password); a mail server that refuses it is
 * tried again with growing pauses.
 */
export const mailAccounts: EngineFunction = {
  id: "mail-accounts",
  retries: 8,
  triggers: [{ event: "account/mail-requested" }],
  handler: async ({ event, step }) => {
    const request = eventData("account/mail-requested", event);
    await step.run("send", () => sendAccountMail({ ...request, messageId: `${event.id}.account` }));
  },
};
