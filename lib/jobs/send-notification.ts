import "server-only";
import { mailNotification } from "@/lib/domain/notifications/mail-notification";
import { eventData, inngest } from "@/lib/engine/client";
/** Mails a notification; a mail server that refuses it is tried again with growing pauses. */
export const sendNotification = inngest.createFunction(
  { id: "send-notification", retries: 8, triggers: [{ event: "notification/created" }] },
  async ({ event, step }) => {
    const { notification_id } = eventData("notification/created", event);
    await step.run("send", () => mailNotification(notification_id));
  },
);
