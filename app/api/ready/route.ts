import { answerReady } from "@/lib/api/http/answer-ready";

export function GET(request: Request): Promise<Response> {
  return answerReady(request);
}
