import type { APIRequestContext } from "@playwright/test";
import { z } from "zod";
import type { TestAccount } from "./create-account";
import { signInByRequest } from "./sign-in-by-request";

const json = z.looseObject({ secret: z.string() });

/** Signs the account's owner in, as the page does, and reads the secret that signs its webhooks. */
export async function readWebhookSecret(request: APIRequestContext, account: Pick<TestAccount, "email" | "password">): Promise<string> {
  await signInByRequest(request, account);
  return json.parse(await (await request.get("/api/console/webhook-secret")).json()).secret;
}
