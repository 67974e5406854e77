import "server-only";
import {
  type RateWindow,
  refundToWindow,
  takeFromWindow,
  tooManyRequests,
} from "@/lib/domain/limits/rate-window";
import { env } from "@/lib/env";
import { invalidInput } from "@/lib/model/errors";
import { verifyPassword } from "@/lib/platform/crypto/password";
import { postgres, type Transaction, transaction } from "@/lib/platform/postgres";
/** Wrong passwords of one account, and of one address, before both are closed (contract §15). */
export const FAILED_SIGN_INS_MAX = 10;
/**
 * Passwords that one address may have checked, right ones too, as a share of the requests that it
 * may make a minute: each costs a core for a while, and a whole office may sign in from one address
 * in the morning. Off with that limit.
 */
const ATTEMPTS_OF_REQUESTS = 1 / 4;
/** More than a window can count. */
const UNLIMITED = 2_000_000_000;
const WINDOW_SECONDS = 15 * 60;

export type PasswordCheck =
  | { outcome: "fits" }
  | { outcome: "wrong" }
  | { outcome: "too-many-attempts"; retrySeconds: number };

/**
 * Checks a password as an attempt to sign in. Counts first and hashes then, so that of any number
 * of guesses at once no more than the limit are tried; a right password gives its own count back
 * and forgets the failures of its account, never those of its address. An unknown user (`hash`
 * null) costs the same work as a wrong password.
 * @param login.email in lower case; `hash` may be looked up when the attempt has been counted
 * @param options.isKnownDevice this user has signed in from this browser before: wrong passwords of
 * others behind its address neither close it nor are its own counted
 *   among theirs. Those of the account count as ever.
 * @throws ServiceError SERVICE_UNAVAILABLE when too many hashes wait; that attempt does not count
 */
export async function checkPassword(
  login: { email: string; hash: string | null | (() => Promise<string | null>) },
  password: string,
  address: string,
  { isKnownDevice = false } = {},
): Promise<PasswordCheck> {
  const { ofAddress, ...others } = windowsOf(login.email, address);
  // In a fixed order, so that two attempts never wait for each other.
  const windows = isKnownDevice
    ? others
    : { attempts: others.attempts, ofAddress, ofAccount: others.ofAccount };
  const retrySeconds = await takeAttempt(windows);
  if (retrySeconds > 0) return { outcome: "too-many-attempts", retrySeconds };
  let fits: boolean;
  try {
    fits = await verifyPassword(
      typeof login.hash === "function" ? await login.hash() : login.hash,
      password,
    );
  } catch (error) {
    for (const { key } of Object.values(windows)) await refundToWindow(postgres(), key);
    throw error;
  }
  if (!fits) return { outcome: "wrong" };
  if (!isKnownDevice) await refundToWindow(postgres(), ofAddress.key);
  await forgetFailures(login.email);
  return { outcome: "fits" };
}

/**
 * The signed-in person's own password, asked again before something grave.
 * @throws ServiceError INVALID_INPUT at `path` when it is wrong; RATE_LIMITED after too many wrong
 * ones
 */
export async function requirePassword(
  login: { email: string; hash: string | null },
  password: string,
  address: string,
  path: string,
): Promise<void> {
  const check = await checkPassword(login, password, address);
  if (check.outcome === "wrong") throw invalidInput(path, "is not your password");
  if (check.outcome === "too-many-attempts")
    throw tooManyRequests("Too many wrong passwords. Nothing was changed.", check.retrySeconds);
}

/**
 * Counts an attempt that is refused without a look at it, as a failure of where it comes from.
 * @returns whether the address has had enough of them
 */
export async function countRefusal(address: string): Promise<boolean> {
  const { attempts, ofAddress } = windowsOf("", address);
  return (await takeAttempt({ attempts, ofAddress })) > 0;
}

/**
 * Counts an attempt that nobody can guess a way through, such as a passkey's: it costs work, and
 * closes nothing.
 * @returns whether the address has had enough of them
 */
export async function countAttempt(address: string): Promise<boolean> {
  return (await takeAttempt({ attempts: windowsOf("", address).attempts })) > 0;
}

/** Opens the sign-in of an account again: its owner has just shown who they are. */
export async function forgetFailures(email: string): Promise<void> {
  await postgres().query("DELETE FROM hour_buckets WHERE key = $1", [
    windowsOf(email, "").ofAccount.key,
  ]);
}

function windowsOf(
  email: string,
  address: string,
): Record<"attempts" | "ofAddress" | "ofAccount", RateWindow> {
  const requests = env().IP_LIMIT_PER_MINUTE;
  const attempts =
    requests === 0
      ? UNLIMITED
      : Math.max(FAILED_SIGN_INS_MAX, Math.floor(requests * ATTEMPTS_OF_REQUESTS));
  return {
    attempts: { key: `sign-in-attempts:${address}`, max: attempts, seconds: WINDOW_SECONDS },
    ofAddress: {
      key: `sign-in-from:${address}`,
      max: FAILED_SIGN_INS_MAX,
      seconds: WINDOW_SECONDS,
    },
    ofAccount: { key: `sign-in:${email}`, max: FAILED_SIGN_INS_MAX, seconds: WINDOW_SECONDS },
  };
}

/** All or none: what one of them refuses is rolled back. */
async function takeAttempt(windows: Record<string, RateWindow>): Promise<number> {
  return await transaction(async (tx) => {
    const seconds = await takeAll(tx, Object.values(windows));
    if (seconds > 0) throw new AttemptRefused(seconds);
    return 0;
  }).catch((error: unknown) => {
    if (error instanceof AttemptRefused) return error.seconds;
    throw error;
  });
}

async function takeAll(tx: Transaction, windows: RateWindow[]): Promise<number> {
  for (const window of windows) {
    const seconds = await takeFromWindow(tx, window);
    if (seconds > 0) return seconds;
  }
  return 0;
}

class AttemptRefused extends Error {
  override readonly name = "AttemptRefused";
  constructor(readonly seconds: number) {
    super("too many attempts to sign in");
  }
}
