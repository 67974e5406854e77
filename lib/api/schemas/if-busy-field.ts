import "server-only";
import { z } from "zod";
import { IF_BUSY } from "@/lib/model/run/run-message";

/** What a start does where its conversation is busy; what is left out is `reject`. */
export const ifBusyField = z.enum(IF_BUSY).meta({
  default: "reject",
  description:
    "Where a run of the conversation has not ended: `reject` answers 409 " +
    "`CONVERSATION_BUSY`; `queue` has this one begin when those before it have ended; " +
    "`steer` says it to the run at work, which is answered with `message_id`; `interrupt` " +
    "cancels the run at work, and this one begins.",
});
