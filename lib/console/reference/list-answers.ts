import type { ApiDocument, ApiResponse, ApiSchema } from "@/lib/console/reference/api-document";
import { followReference } from "@/lib/console/reference/follow-reference";
import type { ReferenceOperation } from "@/lib/console/reference/list-operations";

/** An error that an operation may answer with. */
export interface OperationError {
  status: string;
  code: string;
  description: string;
}

export interface ReferenceHeader {
  name: string;
  description: string;
}

/** A success that an operation may answer with. */
export interface ReferenceAnswer {
  status: string;
  description: string;
  headers: ReferenceHeader[];
  contents: { mediaType: string; schema: ApiSchema; examples: unknown[] }[];
}

/** Headers of every answer; the guide tells of them once. */
const EVERYWHERE = /^(X-Request-Id|RateLimit|RateLimit-Policy|X-RateLimit-.*)$/;

/** What an operation answers: its successes, and each error code under its status. */
export function listAnswers(
  document: ApiDocument,
  { source }: ReferenceOperation,
): { answers: ReferenceAnswer[]; errors: OperationError[] } {
  const responses = Object.entries(source.responses).map(([status, response]) => ({
    status,
    response: followReference(document, response),
  }));
  return {
    answers: responses.filter(({ status }) => status.startsWith("2")).map(({ status, response }) => answerOf(document, status, response)),
    errors: responses
      .filter(({ status }) => !status.startsWith("2"))
      .flatMap(({ status, response }) => errorsOf(document, status, response)),
  };
}

function answerOf(document: ApiDocument, status: string, { description = "", headers = {}, content = {} }: ApiResponse): ReferenceAnswer {
  return {
    status,
    description,
    headers: Object.entries(headers)
      .filter(([name]) => !EVERYWHERE.test(name))
      .map(([name, header]) => ({ name, description: followReference(document, header).description ?? "" })),
    contents: Object.entries(content).map(([mediaType, { schema = {}, examples = {} }]) => ({
      mediaType,
      schema,
      examples: Object.values(examples).map((example) => followReference(document, example).value),
    })),
  };
}

/** The body of an error is that of one code, or one of several. */
function errorsOf(document: ApiDocument, status: string, { content = {} }: ApiResponse): OperationError[] {
  const schema = followReference(document, content["application/json"]?.schema ?? {});
  return (schema.oneOf ?? [schema]).flatMap((body) => {
    const { allOf = [], description = "" } = followReference(document, body);
    const code = allOf.map((part) => part.properties?.error?.const).find((value) => typeof value === "string");
    return typeof code === "string" ? [{ status, code, description }] : [];
  });
}
