import "server-only";
import type { EngineFunction } from "@/lib/engine/functions";
import { cancelChildrenOfEnded } from "@/lib/jobs/cancel-children";
import { collectFiles } from "@/lib/jobs/collect-files";
import { deleteAccounts } from "@/lib/jobs/delete-accounts";
import { deliverWebhook } from "@/lib/jobs/deliver-webhook";
import { eraseEndUsers } from "@/lib/jobs/erase-end-users";
import { executeRun } from "@/lib/jobs/execute-run";
import { fireDueSchedules } from "@/lib/jobs/fire-due-schedules";
import { mailAccounts } from "@/lib/jobs/mail-accounts";
import { resumeRuns } from "@/lib/jobs/resume-runs";
import { retain } from "@/lib/jobs/retain";
import { sendNotification } from "@/lib/jobs/send-notification";
import { sweep } from "@/lib/jobs/sweep";

/**
 * Every Inngest function of the service: served at `/api/inngest`, or driven by the embedded
 * executor.
 */
export const functions: readonly EngineFunction[] = [
  executeRun,
  cancelChildrenOfEnded,
  resumeRuns,
  deliverWebhook,
  sendNotification,
  mailAccounts,
  deleteAccounts,
  eraseEndUsers,
  fireDueSchedules,
  sweep,
  retain,
  collectFiles,
];
