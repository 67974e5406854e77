import "server-only";
import { mailNotification } from "@/lib/domain/notifications/mail-notification";
import { inngest } from "@/lib/engine/client";

/** Mails a notification; a mail server that refuses it is tried again with growing pauses. */
export const sendNotification = inngest.createFunction(
  { id: "send-notification", retries: 8, triggers: [{ event: "notification/created" }] },
  async ({ event, step }) => {
    await step.run("send", () => mailNotification(String(event.data.notification_id)));
  },
);
