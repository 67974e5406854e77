import { answerHealth } from "@/lib/api/http/answer-health";

export function GET(request: Request): Promise<Response> {
  return answerHealth(request);
}
