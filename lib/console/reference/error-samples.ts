import type { SampleLanguage } from "@/lib/console/reference/code-samples";

/** How a program reads a refusal: the code decides, the message is for people, the request's id for the operator. */
export function errorSamples(baseUrl: string): Record<SampleLanguage, string> {
  const address = JSON.stringify(`${baseUrl}/v1/account`);
  return {
    curl: `curl -i ${address} \\
  -H "Authorization: Bearer $LATHE_API_KEY"
# HTTP/1.1 401 Unauthorized
# X-Request-Id: …
#
# {"error":"AUTHENTICATION_REQUIRED","message":"…"}`,
    typescript: `import { createClient, LatheApiError } from "./client/lathe-client";

const lathe = createClient({
  apiKey: process.env.LATHE_API_KEY ?? "",
  baseUrl: ${JSON.stringify(baseUrl)},
});

try {
  console.log(await lathe.get("/v1/account"));
} catch (error) {
  if (!(error instanceof LatheApiError)) throw error;
  console.error(error.status, error.code, error.message, error.requestId);
}`,
    python: `import json
import os
import urllib.error
import urllib.request

request = urllib.request.Request(
    ${address},
    headers={"Authorization": f"Bearer {os.environ['LATHE_API_KEY']}"},
)
try:
    with urllib.request.urlopen(request) as response:
        print(json.load(response))
except urllib.error.HTTPError as error:
    body = json.load(error)
    print(error.code, body["error"], body["message"], error.headers["X-Request-Id"])`,
  };
}
