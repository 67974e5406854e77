/** Runs once in each server process, before the first request. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { reportStarted } = await import("@/lib/platform/report-started");
  try {
    const { stampSecurityHeaders } = await import("@/lib/api/http/security-headers");
    const { giveRunWebhook } = await import("@/lib/api/schemas/run-webhook");
    const { startMetrics, startTelemetry } = await import("@/lib/platform/start-observability");
    const { mountListener } = await import("@/lib/server/mount-listener");
    const { startService } = await import("@/lib/jobs/start-service");
    const { processHooks } = await import("@/lib/platform/process-hooks.mjs");
    const { closeProcessService } = await import("@/lib/service");
    await startMetrics();
    await startTelemetry();
    stampSecurityHeaders();
    giveRunWebhook();
    mountListener();
    await startService();
    processHooks().closeService = closeProcessService;
    reportStarted(null);
  } catch (error) {
    reportStarted(error);
  }
}
