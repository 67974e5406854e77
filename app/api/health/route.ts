import { answerHealth } from "@/lib/api/http/service-routes";

export function GET(request: Request): Response {
  return answerHealth(request);
}
