import { startAuthentication, WebAuthnError } from "@simplewebauthn/browser";
import { consoleApi } from "@/lib/console/api";

type Options = Parameters<typeof startAuthentication>[0]["optionsJSON"];

/**
 * Has the browser ask for a passkey of this service. @returns what the service takes as the answer.
 * @throws what `passkeyProblem` puts into words
 */
export async function askPasskey() {
  const { challenge_id, options } = await consoleApi.post("/passkey-question");
  // As the service's library made them.
  const response = await startAuthentication({ optionsJSON: options as unknown as Options });
  return { challenge_id, response: toAnswer(response) };
}

interface Credential {
  id: string;
  rawId: string;
  response: { clientDataJSON: string };
  clientExtensionResults: object;
}

/** What an authenticator gave, as the service takes it. */
export function toAnswer({ id, rawId, response, clientExtensionResults }: Credential) {
  const fields: Record<string, unknown> = { ...response };
  return {
    id,
    rawId,
    type: "public-key" as const,
    response: { ...fields, clientDataJSON: response.clientDataJSON },
    clientExtensionResults: { ...clientExtensionResults },
  };
}

/** Why a browser gave no passkey, in words; null for an error that is none of the browser's. */
export function passkeyProblem(error: unknown): string | null {
  if (error instanceof WebAuthnError && error.code === "ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED")
    return "This device has a passkey for you already.";
  if (
    error instanceof Error &&
    (error instanceof WebAuthnError || error.name === "NotAllowedError")
  )
    return "The browser gave no passkey: there is none here, or it was called off.";
  return null;
}
