import "server-only";
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import { z } from "zod";
import { passkeyAnswerField, passkeyResponseField } from "@/lib/api/console/session/passkey-answer";
import { currentPasswordField } from "@/lib/api/console/session/sign-in-operations";
import { type Operation, operation } from "@/lib/api/http/operation";
import { clientAddressOf } from "@/lib/api/http/request";
import { idField, timeField } from "@/lib/api/schemas/fields";
import type { PasskeyView } from "@/lib/domain/account/passkeys";
import {
  addPasskey,
  beginPasskey,
  beginTotp,
  confirmTotp,
  type FactorProof,
  getSecondFactors,
  removePasskey,
  removeTotp,
  renamePasskey,
  renewRecoveryCodes,
  requestPasskeySignIn,
} from "@/lib/domain/account/second-factor";

const codeField = z.string().trim().min(1, "is missing").max(40, "is no code");
const nameField = z
  .string()
  .trim()
  .min(1, "is missing")
  .max(100, "must have at most 100 characters");
/** What the browser's own interface for passkeys takes. */
const optionsSchema = z.looseObject({ challenge: z.string() });
const questionSchema = z.object({ challenge_id: idField, options: optionsSchema });

/** A code of the app, a recovery code, or a passkey's answer. */
const proofSchema = z.union([
  z.strictObject({ code: codeField }),
  z.strictObject({ passkey: passkeyAnswerField }),
]);

function toProof(proof: z.output<typeof proofSchema>): FactorProof {
  if ("code" in proof) return { code: proof.code };
  const { challenge_id: challengeId, response } = proof.passkey;
  // The library looks at the rest.
  return { challengeId, response: response as unknown as AuthenticationResponseJSON };
}

const passkeySchema = z
  .object({
    passkey_id: idField,
    name: z.string(),
    created_at: timeField,
    last_used_at: timeField.nullable(),
  })
  .meta({ id: "Passkey" });

function toPasskey({
  id,
  name,
  createdAt,
  lastUsedAt,
}: PasskeyView): z.output<typeof passkeySchema> {
  return {
    passkey_id: id,
    name,
    created_at: createdAt.toISOString(),
    last_used_at: lastUsedAt?.toISOString() ?? null,
  };
}

const codesSchema = z.object({ recovery_codes: z.array(z.string()) });

const getSecondFactorsOperation = operation({
  method: "GET",
  path: "/api/console/second-factor",
  operationId: "getSecondFactors",
  tag: "Console",
  summary: "The user's second factors",
  description: "What the signed-in user has beside the password.",
  auth: "session",
  responses: [
    {
      status: 200,
      description: "The second factors.",
      schema: z.object({
        totp: z.boolean(),
        passkeys: z.array(passkeySchema),
        recovery_codes_left: z.number().int(),
        takes_passkeys: z.boolean(),
        missing: z.boolean(),
      }),
    },
  ],
  errors: [],
  async handle({ principal }) {
    const { totp, passkeys, recoveryCodes, takesPasskeys, isMissing } =
      await getSecondFactors(principal);
    return {
      status: 200,
      body: {
        totp,
        passkeys: passkeys.map(toPasskey),
        recovery_codes_left: recoveryCodes,
        takes_passkeys: takesPasskeys,
        missing: isMissing,
      },
    };
  },
});

const beginTotpOperation = operation({
  method: "POST",
  path: "/api/console/second-factor/totp",
  operationId: "beginTotp",
  provenOnly: false,
  tag: "Console",
  summary: "Begin with an authenticator app",
  description:
    "Gives what the app is to be told. It counts for nothing until a code of it has come back.",
  auth: "session",
  body: z.strictObject({ password: currentPasswordField }),
  responses: [
    {
      status: 200,
      description: "For the app.",
      schema: z.object({ uri: z.string(), secret: z.string() }),
    },
  ],
  errors: ["INVALID_INPUT", "CONFLICT"],
  async handle({ principal, body, request }) {
    return {
      status: 200,
      body: await beginTotp(principal, body.password, clientAddressOf(request)),
    };
  },
});

const confirmTotpOperation = operation({
  method: "POST",
  path: "/api/console/second-factor/totp/confirm",
  operationId: "confirmTotp",
  provenOnly: false,
  tag: "Console",
  summary: "Use the authenticator app from now on",
  description:
    "By a first code of it. Every other session of the user ends; recovery codes are given " +
    "with the user's first second factor, once.",
  auth: "session",
  body: z.strictObject({ code: codeField }),
  responses: [{ status: 200, description: "In use.", schema: codesSchema }],
  errors: ["INVALID_INPUT"],
  async handle({ principal, body }) {
    return { status: 200, body: { recovery_codes: await confirmTotp(principal, body.code) } };
  },
});

const removeTotpOperation = operation({
  method: "POST",
  path: "/api/console/second-factor/totp/remove",
  operationId: "removeTotp",
  provenOnly: false,
  tag: "Console",
  summary: "Turn the authenticator app off",
  description: "By a code of it, a recovery code or a passkey.",
  auth: "session",
  body: proofSchema,
  responses: [{ status: 204, description: "Turned off." }],
  errors: ["INVALID_INPUT", "CONFLICT"],
  async handle({ principal, body }) {
    await removeTotp(principal, toProof(body));
    return { status: 204 };
  },
});

const beginPasskeyOperation = operation({
  method: "POST",
  path: "/api/console/second-factor/passkeys/begin",
  operationId: "beginPasskey",
  provenOnly: false,
  tag: "Console",
  summary: "Begin with a passkey",
  description: "Gives what the browser is to ask its authenticator.",
  auth: "session",
  body: z.strictObject({ password: currentPasswordField }),
  responses: [{ status: 200, description: "For the browser.", schema: questionSchema }],
  errors: ["INVALID_INPUT", "CONFLICT"],
  async handle({ principal, body, request }) {
    const { challengeId, options } = await beginPasskey(
      principal,
      body.password,
      clientAddressOf(request),
    );
    return { status: 200, body: { challenge_id: challengeId, options } };
  },
});

const addPasskeyOperation = operation({
  method: "POST",
  path: "/api/console/second-factor/passkeys",
  operationId: "addPasskey",
  provenOnly: false,
  tag: "Console",
  summary: "Keep a passkey",
  description:
    "That the browser's authenticator made. Recovery codes are given with the user's first " +
    "second factor, once.",
  auth: "session",
  body: z.strictObject({ challenge_id: idField, name: nameField, response: passkeyResponseField }),
  creates: ["nothing"],
  responses: [
    { status: 201, description: "Kept.", schema: codesSchema.extend({ passkey: passkeySchema }) },
  ],
  errors: ["INVALID_INPUT", "CONFLICT"],
  async handle({ principal, body }) {
    // The library looks at the rest.
    const response = body.response as unknown as RegistrationResponseJSON;
    const { passkey, recoveryCodes } = await addPasskey(principal, {
      challengeId: body.challenge_id,
      name: body.name,
      response,
    });
    return { status: 201, body: { passkey: toPasskey(passkey), recovery_codes: recoveryCodes } };
  },
});

const passkeyParams = z.object({ passkey_id: idField });

const renamePasskeyOperation = operation({
  method: "PATCH",
  path: "/api/console/second-factor/passkeys/{passkey_id}",
  operationId: "renamePasskey",
  provenOnly: false,
  tag: "Console",
  summary: "Rename a passkey",
  description: "How the user calls it.",
  auth: "session",
  params: passkeyParams,
  body: z.strictObject({ name: nameField }),
  responses: [{ status: 204, description: "Renamed." }],
  errors: ["INVALID_INPUT", "NOT_FOUND"],
  async handle({ principal, params, body }) {
    await renamePasskey(principal, params.passkey_id, body.name);
    return { status: 204 };
  },
});

const removePasskeyOperation = operation({
  method: "POST",
  path: "/api/console/second-factor/passkeys/{passkey_id}/remove",
  operationId: "removePasskey",
  provenOnly: false,
  tag: "Console",
  summary: "Remove a passkey",
  description: "By a code of the authenticator app, a recovery code or a passkey.",
  auth: "session",
  params: passkeyParams,
  body: proofSchema,
  responses: [{ status: 204, description: "Removed." }],
  errors: ["INVALID_INPUT", "NOT_FOUND"],
  async handle({ principal, params, body }) {
    await removePasskey(principal, params.passkey_id, toProof(body));
    return { status: 204 };
  },
});

const renewRecoveryCodesOperation = operation({
  method: "POST",
  path: "/api/console/second-factor/recovery-codes",
  operationId: "renewRecoveryCodes",
  provenOnly: false,
  tag: "Console",
  summary: "Make new recovery codes",
  description: "Ten of them, shown once; those before are void.",
  auth: "session",
  body: proofSchema,
  responses: [{ status: 200, description: "The codes.", schema: codesSchema }],
  errors: ["INVALID_INPUT"],
  async handle({ principal, body }) {
    return {
      status: 200,
      body: { recovery_codes: await renewRecoveryCodes(principal, toProof(body)) },
    };
  },
});

const requestPasskeyOperation = operation({
  method: "POST",
  path: "/api/console/passkey-question",
  operationId: "requestPasskey",
  tag: "Console",
  summary: "Ask for a passkey",
  description:
    "What the browser is to ask its authenticator, to sign in or to show that the user is " +
    "there. It can be answered once, for five minutes.",
  auth: "none",
  responses: [{ status: 200, description: "For the browser.", schema: questionSchema }],
  errors: ["AUTHENTICATION_REQUIRED", "CONFLICT"],
  async handle({ request }) {
    const { challengeId, options } = await requestPasskeySignIn(clientAddressOf(request));
    return { status: 200, body: { challenge_id: challengeId, options } };
  },
});

export const SECOND_FACTOR_OPERATIONS: Operation[] = [
  getSecondFactorsOperation,
  beginTotpOperation,
  confirmTotpOperation,
  removeTotpOperation,
  beginPasskeyOperation,
  addPasskeyOperation,
  renamePasskeyOperation,
  removePasskeyOperation,
  renewRecoveryCodesOperation,
  requestPasskeyOperation,
];
