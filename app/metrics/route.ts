import { answerMetrics } from "@/lib/api/http/answer-metrics";

export function GET(request: Request): Promise<Response> {
  return answerMetrics(request);
}
