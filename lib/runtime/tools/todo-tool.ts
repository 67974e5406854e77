import "server-only";
import { z } from "zod";
import { newId } from "@/lib/platform/ids";
import { builtIn } from "@/lib/runtime/tools/built-in";
import { defineTool } from "@/lib/runtime/tools/define-tool";

const ITEMS_MAX = 30;
const TEXT_MAX_CHARACTERS = 300;

/** Replaces the run's todo list and shows it as a card. */
const todoTool = defineTool({
  name: "todo",
  description:
    "Write the whole todo list of this run; it replaces the former one and is shown to the person who follows the run. Use it for work of several steps: once at the start, and again whenever a step is done.",
  kind: "internal",
  isOpen: true,
  args: z.strictObject({
    items: z
      .array(
        z.strictObject({
          text: z.string().min(1).max(TEXT_MAX_CHARACTERS),
          done: z.boolean(),
        }),
      )
      .min(1)
      .max(ITEMS_MAX),
  }),
  async execute({ items }, { todo, emit }) {
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
});

export const TODO = builtIn(todoTool, {
  offered: "config",
  writes: "inside",
  within: true,
  worksDry: true,
  keepsName: true,
});
