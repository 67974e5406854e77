import { answerEngineCall } from "@/lib/api/engine/answer-engine-call";
import { engineEndpoint } from "@/lib/jobs/engine-endpoint";

const answer = (request: Request): Promise<Response> => answerEngineCall(request, engineEndpoint());

/**
 * Where an Inngest server drives the functions; with the embedded executor there is no such route.
 */
export {
  answer as DELETE,
  answer as GET,
  answer as HEAD,
  answer as OPTIONS,
  answer as PATCH,
  answer as POST,
  answer as PUT,
};
