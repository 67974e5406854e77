import "server-only";
import { z } from "zod";
import { newId } from "@/lib/platform/ids";
import type { RuntimeTool } from "./tool";

const ITEMS_MAX = 30;
const TEXT_MAX_CHARACTERS = 300;

const argsSchema = z.object({ items: z.array(z.object({ text: z.string(), done: z.boolean().default(false) })) });

/** Replaces the run's todo list and shows it as a card. */
export const todoTool: RuntimeTool = {
  name: "todo",
  description:
    "Write the whole todo list of this run; it replaces the former one and is shown to the person who follows the run. Use it for work of several steps: once at the start, and again whenever a step is done.",
  kind: "internal",
  inputSchema: {
    type: "object",
    properties: {
      items: {
        type: "array",
        minItems: 1,
        maxItems: ITEMS_MAX,
        items: {
          type: "object",
          properties: { text: { type: "string", minLength: 1, maxLength: TEXT_MAX_CHARACTERS }, done: { type: "boolean" } },
          required: ["text", "done"],
          additionalProperties: false,
        },
      },
    },
    required: ["items"],
    additionalProperties: false,
  },
  async execute(args, { todo, emit }) {
    const { items } = argsSchema.parse(args);
    const type = todo.cardId === null ? "card.created" : "card.updated";
    todo.cardId ??= newId();
    todo.items = items.map((item, index) => ({ id: String(index + 1), ...item }));
    const open = todo.items.filter((item) => !item.done).length;
    const card = {
      card_id: todo.cardId,
      kind: "todo",
      status: open === 0 ? "done" : "in_progress",
      title: "To do",
      items: todo.items,
    } as const;
    emit({ type, card: { ...card, items: [...card.items] } });
    return { succeeded: true, output: { items: items.length, open } };
  },
};
