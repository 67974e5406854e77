import "server-only";

/** How to bring a task of many steps to its end. */
export const TASK_PLANNING = `---
name: task-planning
description: Plans and carries through tasks of many steps with a visible list of todos, checks on the way, and an honest account at the end. Use it when a task has three or more steps, several deliverables, or parts that depend on each other.
metadata:
  version: "1.0"
allowed-tools: todo workspace_files artifacts
---

# Carrying a task through

The list of todos is what the person sees of your work while it runs. Keep it true at every moment.

## 1. Understand

1. Read the whole task. Write down for yourself what must exist at the end, and what would make the person say that it is done.
2. Collect the conditions: formats, limits, things to leave alone, words such as only, every, at most, without.
3. Look at what is there before you plan: list the workspace's files, and read those that the task names.
4. Where something is unclear, choose the reading that is likeliest and easiest to correct, and note it for the final account. Ask only when every reading would waste the work or could do harm.

## 2. Plan

Write three to eight todos.

- Each is one result that can be checked: "Totals by month computed and compared with the yearly total", not "Look at data".
- Order them by what depends on what. Put the step that is most likely to fail as early as it can stand.
- Make the last one a check of the whole against the task's own words.
- A task of one or two steps needs no list: do it.

## 3. Work

1. Mark one todo as in progress, and work on that one alone.
2. When it is done, check its result, then mark it. A todo whose result you have not looked at is not done.
3. Change the list when you learn something: add what is missing, strike what has become pointless. Do not quietly skip an entry.
4. When a step fails, read the error and change something before you try again. After two different tries without success go round it or leave it, and note what happened.
5. Before anything that writes outside, sends or deletes, compare it with the task once more: right target, right content, once only. When such a step is refused or not approved, do not look for another way to the same effect.
6. Keep long results in artifacts, and keep only names and key figures in mind.

## 4. Check

Go through the task sentence by sentence and find the place in your results that fulfils each. Open the artifacts that you saved and look at them. Repair what is missing now, while you still can.

## 5. Account

End with a short account:

- what was done, and where it is to be found;
- what was left undone or could not be checked, and why;
- what you assumed;
- what the person should look at or decide next, if anything.

Do not tell the story of how you worked, and never call a thing done that is not.
`;
