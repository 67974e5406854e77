import "server-only";
import { afterAll } from "vitest";
import {
  createService,
  holdService,
  runInService,
  type Service,
  type Variables,
} from "@/lib/service";

/** What tests do to accounts is nobody's evidence. */
export const TEST_VARIABLES: Variables = { NODE_ENV: "test", AUDIT_LOG: "off" };

/**
 * The service of a whole test file, current from this call on and closed behind its last test. Call
 * it where the file begins.
 */
export function testService(variables: Variables = {}): Service {
  const service = createService({ ...TEST_VARIABLES, ...variables });
  const release = holdService(service);
  afterAll(async () => {
    await service.close();
    release();
  });
  return service;
}

/** Does `work` in a service of its own, which is closed behind it. */
export async function withService<T>(
  variables: Variables,
  work: (service: Service) => T | Promise<T>,
): Promise<T> {
  const service = createService({ ...TEST_VARIABLES, ...variables });
  try {
    return await runInService(service, () => work(service));
  } finally {
    await service.close();
  }
}
