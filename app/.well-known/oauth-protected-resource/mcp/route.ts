import { answerResourceMetadata } from "@/lib/api/mcp/resource-metadata";

/** How `/mcp` is signed in to (RFC 9728). */
export function GET(request: Request): Promise<Response> {
  return answerResourceMetadata(request);
}
