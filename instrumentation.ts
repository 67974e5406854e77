/** Runs once in each server process, before the first request. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { stampClientAddress } = await import("@/lib/api/http/stamp-client-address");
  const { stampSecurityHeaders } = await import("@/lib/api/http/security-headers");
  const { mountApi } = await import("@/lib/api/http/mount-api");
  const { startService } = await import("@/lib/jobs/start-service");
  stampClientAddress();
  stampSecurityHeaders();
  mountApi();
  await startService();
}
