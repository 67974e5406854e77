/** Runs once in each server process, before the first request. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { stampSecurityHeaders } = await import("@/lib/api/http/security-headers");
  const { mountListener } = await import("@/lib/server/mount-listener");
  const { startService } = await import("@/lib/jobs/start-service");
  stampSecurityHeaders();
  mountListener();
  await startService();
}
