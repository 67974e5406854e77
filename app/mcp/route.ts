import { answerMcp } from "@/lib/api/mcp/answer-mcp";

/** The account's agents as an MCP server. */
export {
  answerMcp as DELETE,
  answerMcp as GET,
  answerMcp as HEAD,
  answerMcp as OPTIONS,
  answerMcp as PATCH,
  answerMcp as POST,
  answerMcp as PUT,
};
