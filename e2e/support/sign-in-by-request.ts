import type { APIRequestContext } from "@playwright/test";
import { z } from "zod";
import type { Credentials } from "./fill-in-credentials";

const token = z.looseObject({ csrfToken: z.string() });

/** Signs in as the page does, without a page: the session's cookie is in `request` afterwards. */
export async function signInByRequest(request: APIRequestContext, { email, password }: Credentials): Promise<void> {
  const { csrfToken } = token.parse(await (await request.get("/api/auth/csrf")).json());
  await request.post("/api/auth/callback/credentials", { form: { csrfToken, email, password, json: "true" } });
  if ((await request.get("/api/console/keys")).status() !== 200) throw new Error("The owner could not be signed in.");
}
