import "server-only";
import { z } from "zod";
import { TODO_STATUSES } from "@/lib/model/run/run-event";
import { newId } from "@/lib/platform/ids";
import { unshown } from "@/lib/runtime/prompts/shown-schema";
import { builtIn } from "@/lib/runtime/tools/built-in";
import { defineTool } from "@/lib/runtime/tools/define-tool";

const ITEMS_MAX = 30;
const TEXT_MAX_CHARACTERS = 300;

/** Replaces the run's todo list and shows it as a card. */
const todoTool = defineTool({
  name: "todo",
  description:
    "Replace the run's todo list, which whoever follows the run sees. For work of several " +
    "steps: once at the start, and again whenever a step begins or is done. Have one " +
    "in_progress at a time.",
  kind: "internal",
  isOpen: true,
  args: z.strictObject({
    items: z
      .array(
        z.strictObject({
          text: z.string().min(1).max(TEXT_MAX_CHARACTERS),
          status: z.enum(TODO_STATUSES).meta({ description: "pending without it." }).optional(),
          // As older callers said it.
          done: unshown(z.boolean().optional()),
        }),
      )
      .min(1)
      .max(ITEMS_MAX),
  }),
  async execute({ items }, { todo, emit }) {
    const type = todo.cardId === null ? "card.created" : "card.updated";
    todo.cardId ??= newId();
    todo.items = items.map(({ text, done, status = done ? "done" : "pending" }, index) => ({
      id: String(index + 1),
      text,
      done: status === "done",
      status,
    }));
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
  guide: "a visible list for work of several steps",
});
