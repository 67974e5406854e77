import type { APIRequestContext } from "@playwright/test";
import { z } from "zod";
import type { TestAccount } from "./create-account";

const json = z.looseObject({ csrfToken: z.string().optional(), secret: z.string().optional() });

/** Signs the account's owner in, as the page does, and reads the secret that signs its webhooks. */
export async function readWebhookSecret(request: APIRequestContext, { email, password }: TestAccount): Promise<string> {
  const { csrfToken = "" } = json.parse(await (await request.get("/api/auth/csrf")).json());
  await request.post("/api/auth/callback/credentials", { form: { csrfToken, email, password, json: "true" } });
  const { secret } = json.parse(await (await request.get("/api/console/webhook-secret")).json());
  if (!secret) throw new Error("The owner could not be signed in.");
  return secret;
}
