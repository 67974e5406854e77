import { answerHealth } from "@/lib/api/http/answer-health";

export function GET(): Promise<Response> {
  return answerHealth();
}
