import { answerHealth } from "@/lib/api/http/service-routes";

export function GET(request: Request): Promise<Response> {
  return answerHealth(request);
}
