import { answerClientDocument } from "@/lib/api/http/service-routes";

/** This service as a client of authorization servers. */
export function GET(request: Request): Response {
  return answerClientDocument(request);
}
