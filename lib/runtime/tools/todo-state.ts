import "server-only";

export interface TodoItem {
  id: string;
  text: string;
  done: boolean;
}

/** A run's todo list. The runner keeps one for a run and restores it from the last todo card after a restart. */
export interface TodoState {
  /** Null until the list is first written. */
  cardId: string | null;
  items: TodoItem[];
}
