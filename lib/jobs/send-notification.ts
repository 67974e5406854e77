import "server-only";
import { mailNotification } from "@/lib/domain/notifications/mail-notification";
import { eventData } from "@/lib/engine/client";
import type { EngineFunction } from "@/lib/engine/functions";
/** Mails a notification; a mail server that refuses it is tried again with growing pauses. */
export const sendNotification: EngineFunction = {
  id: "send-notification",
  retries: 8,
  triggers: [{ event: "notification/created" }],
  handler: async ({ event, step }) => {
    const { notification_id } = eventData("notification/created", event);
    await step.run("send", () => mailNotification(notification_id));
  },
};
