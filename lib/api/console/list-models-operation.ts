import "server-only";
import { z } from "zod";
import { operation } from "@/lib/api/http/operation";
import { listModels } from "@/lib/domain/models/list-models";

const modelSchema = z.object({
  model: z.string(),
  provider: z.string(),
  name: z.string(),
  description: z.string(),
  available: z.boolean(),
  default: z.boolean(),
  capabilities: z.array(z.string()),
  context_window: z.number().int(),
  price: z.object({ input: z.number(), output: z.number(), unit: z.string() }),
});

export const listModelsOperation = operation({
  method: "GET",
  path: "/api/console/models",
  operationId: "listModels",
  tag: "Console",
  summary: "List models",
  description: "The published list, with what is switched on in this deployment.",
  auth: "session",
  responses: [{ status: 200, description: "The models.", schema: z.object({ data: z.array(modelSchema), default_model: z.string() }) }],
  errors: [],
  async handle() {
    const { models, defaultModel } = listModels();
    const data = models.map((model) => ({
      model: model.id,
      provider: model.provider,
      name: model.label,
      description: model.description,
      available: model.switched_on,
      default: model.id === defaultModel,
      capabilities: [...(model.tools ? ["tools"] : []), ...(model.vision ? ["vision"] : []), ...(model.reasoning ? ["reasoning"] : [])],
      context_window: model.context_tokens,
      price: { input: model.price.input, output: model.price.output, unit: "credits per million tokens" },
    }));
    return { status: 200, body: { data, default_model: defaultModel } };
  },
});
