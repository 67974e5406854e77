import "server-only";
import { sendAccountMail } from "@/lib/domain/account/account-mail";
import { eventData, inngest } from "@/lib/engine/client";
/**
 * Mails what belongs to an account (a proof, a new password); a mail server that refuses it is
 * tried again with growing pauses.
 */
export const mailAccounts = inngest.createFunction(
  { id: "mail-accounts", retries: 8, triggers: [{ event: "account/mail-requested" }] },
  async ({ event, step }) => {
    const request = eventData("account/mail-requested", event);
    await step.run("send", () => sendAccountMail({ ...request, messageId: `${event.id}.account` }));
  },
);
