/** Runs once in each server process, before the first request. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { mountListener } = await import("@/lib/server/mount-listener");
  const { startService } = await import("@/lib/jobs/start-service");
  mountListener();
  await startService();
}
