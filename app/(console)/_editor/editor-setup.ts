"use client";

import { markdown } from "@codemirror/lang-markdown";
import { yaml, yamlFrontmatter } from "@codemirror/lang-yaml";
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { Compartment, EditorState, type Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { type Ref, type RefObject, useEffect, useRef, useState } from "react";
import { documentNonce } from "@/components/appearance";
import type { TextProblem } from "@/lib/console/config/config-draft";
import { isCostlyText } from "@/lib/console/is-costly-text";

export interface CodeEditorHandle {
  /** Puts the cursor at a problem, in view. */
  goTo: (problem: TextProblem) => void;
}

export interface CodeEditorProps {
  value: string;
  onChange?: (text: string) => void;
  language: EditorLanguage;
  /** Its name for screen readers. */
  label: string;
  /** The id of what explains it. */
  describedBy?: string;
  readOnly?: boolean;
  /** Marked at their places and in the gutter. */
  problems?: readonly TextProblem[];
  /** More of the editor's own means; keep it the same object. */
  extra?: Extension;
  handle?: Ref<CodeEditorHandle>;
}

/**
 * Bounds what a comparison in the browser may cost; beyond it texts are told apart less finely.
 * Milliseconds.
 */
export const DIFF_LIMITS = { scanLimit: 1_000, timeout: 300 };

/** By the page's own variables, so that one style serves light and dark. */
const HIGHLIGHT = HighlightStyle.define([
  {
    tag: [tags.propertyName, tags.definition(tags.propertyName), tags.heading, tags.link],
    color: "var(--code-key)",
  },
  {
    tag: [tags.string, tags.special(tags.string), tags.monospace, tags.quote],
    color: "var(--code-string)",
  },
  {
    tag: [tags.number, tags.bool, tags.null, tags.keyword, tags.atom, tags.url],
    color: "var(--code-number)",
  },
  { tag: tags.comment, color: "var(--code-comment)", fontStyle: "italic" },
  {
    tag: [tags.punctuation, tags.separator, tags.meta, tags.processingInstruction],
    color: "var(--muted)",
  },
  { tag: [tags.heading, tags.strong], fontWeight: "600" },
  { tag: tags.emphasis, fontStyle: "italic" },
  { tag: tags.strikethrough, textDecoration: "line-through" },
]);

const ADDED = "color-mix(in oklab, var(--success) 12%, var(--surface))";
const REMOVED = "color-mix(in oklab, var(--danger) 12%, var(--surface))";
const SELECTED = "color-mix(in oklab, var(--accent) 24%, transparent)";

const FRAME = EditorView.theme({
  "&": {
    backgroundColor: "transparent",
    color: "var(--foreground)",
    fontSize: "0.75rem",
    maxHeight: "70dvh",
  },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--font-geist-mono), monospace", lineHeight: "1.65" },
  ".cm-content": { padding: "0.875rem 0", caretColor: "var(--foreground)" },
  ".cm-line": { padding: "0 1rem 0 0.75rem" },
  ".cm-cursor": { borderLeftColor: "var(--foreground)" },
  ".cm-gutters": {
    backgroundColor: "transparent",
    border: "none",
    color: "var(--faint)",
    paddingLeft: "0.25rem",
  },
  ".cm-activeLine": { backgroundColor: "color-mix(in oklab, var(--foreground) 4%, transparent)" },
  ".cm-activeLineGutter": { backgroundColor: "transparent", color: "var(--foreground)" },
  ".cm-selectionBackground": { backgroundColor: `${SELECTED} !important` },
  ".cm-selectionMatch": { backgroundColor: "color-mix(in oklab, var(--accent) 14%, transparent)" },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: SELECTED },
  ".cm-foldPlaceholder": { backgroundColor: "var(--hover)", border: "none", color: "var(--muted)" },
});

const FLOATING = EditorView.theme({
  ".cm-tooltip": {
    backgroundColor: "var(--surface)",
    border: "1px solid var(--line-strong)",
    borderRadius: "6px",
    boxShadow: "var(--shadow-high)",
    color: "var(--foreground)",
    overflow: "hidden",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": {
    fontFamily: "var(--font-geist-mono), monospace",
    maxHeight: "14rem",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "3px 8px" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": {
    backgroundColor: "var(--accent-soft)",
    color: "var(--accent)",
  },
  ".cm-completionIcon": { display: "none" },
  ".cm-tooltip.cm-completionInfo": {
    fontFamily: "var(--font-geist-sans), sans-serif",
    padding: "6px 10px",
    maxWidth: "20rem",
  },
  ".cm-diagnostic": { padding: "5px 10px", fontFamily: "var(--font-geist-sans), sans-serif" },
  ".cm-diagnostic-error": { borderLeftColor: "var(--danger)" },
  ".cm-diagnostic-warning": { borderLeftColor: "var(--warning)" },
  ".cm-gutter-lint": { width: "1rem" },
  ".cm-gutter-lint .cm-gutterElement": { padding: "0.25em 0.1em" },
  ".cm-lint-marker": { width: "0.7em", height: "0.7em", borderRadius: "50%", content: "''" },
  ".cm-lint-marker-error": { content: "''", backgroundColor: "var(--danger)" },
  ".cm-lint-marker-warning": { content: "''", backgroundColor: "var(--warning)" },
  ".cm-panels": {
    backgroundColor: "var(--sunken)",
    color: "var(--foreground)",
    borderColor: "var(--line)",
  },
  ".cm-panels input, .cm-panels button": {
    backgroundColor: "var(--surface)",
    backgroundImage: "none",
    color: "var(--foreground)",
  },
});

const COMPARED = EditorView.theme({
  ".cm-changedLine, .cm-inlineChangedLine, .cm-insertedLine": {
    backgroundColor: `${ADDED} !important`,
  },
  ".cm-deletedChunk": { backgroundColor: REMOVED, padding: "0 1rem 0 0.75rem" },
  ".cm-deletedChunk .cm-deletedLine, .cm-deletedChunk del": { textDecoration: "none" },
  ".cm-insertedLine, .cm-changedLine ins": { textDecoration: "none" },
  "&.cm-merge-b .cm-changedText": {
    background: "color-mix(in oklab, var(--success) 12%, transparent)",
  },
  ".cm-deletedChunk .cm-deletedText": {
    background: "color-mix(in oklab, var(--danger) 12%, transparent)",
  },
  "&.cm-merge-b .cm-changedLineGutter": { background: "var(--success)" },
  ".cm-deletedLineGutter": { background: "var(--danger)" },
  // Their signs are in few fonts.
  ".cm-collapsedLines:before, .cm-collapsedLines:after": { content: "none" },
  ".cm-collapsedLines": {
    background: "var(--sunken)",
    color: "var(--muted)",
    fontFamily: "var(--font-geist-sans), sans-serif",
    padding: "4px 12px",
  },
  ".cm-deletedChunk .cm-chunkButtons": {
    position: "static",
    display: "flex",
    gap: "6px",
    padding: "6px 0 4px",
    flexWrap: "wrap",
  },
  ".cm-deletedChunk .cm-chunkButtons button": {
    background: "var(--surface)",
    border: "1px solid var(--line-strong)",
    borderRadius: "5px",
    color: "var(--foreground)",
    cursor: "pointer",
    fontFamily: "var(--font-geist-sans), sans-serif",
    fontSize: "0.75rem",
    margin: "0",
    padding: "2px 8px",
  },
});

/** How every editor of the console looks. */
export const EDITOR_LOOK: Extension = [FRAME, FLOATING, COMPARED, syntaxHighlighting(HIGHLIGHT)];

export type EditorLanguage = "markdown" | "yaml" | "json";

const NO_GRAMMAR: Extension = [];

/**
 * The grammar of a text that begins as `text`, for as long as the text is one that the grammar can
 * read in time: a stranger's may not be.
 */
function editorLanguage(language: EditorLanguage, text: string): Extension {
  const place = new Compartment();
  const grammar = grammarOf(language);
  const grammarFor = (now: string): Extension =>
    isCostlyText(now, language) ? NO_GRAMMAR : grammar;
  return [
    place.of(grammarFor(text)),
    // In the very transaction that brings the text: the grammar would read it at once.
    EditorState.transactionExtender.of((transaction) => {
      if (!transaction.docChanged) return null;
      const wanted = grammarFor(transaction.newDoc.toString());
      return wanted === place.get(transaction.startState)
        ? null
        : { effects: place.reconfigure(wanted) };
    }),
  ];
}

/** A skill may begin with YAML between dashes; JSON is read as the YAML that it is. */
function grammarOf(language: EditorLanguage): Extension {
  return language === "markdown" ? yamlFrontmatter({ content: markdown() }) : yaml();
}

interface EditorOptions {
  value: string;
  language: EditorLanguage;
  onChange?: (text: string) => void;
  /** Keep it the same object: another one builds the editor anew. */
  extensions: Extension;
}

/** An editor inside of `holder` that shows `value` and reports what people make of it. */
export function useEditorView({ value, language, onChange, extensions }: EditorOptions): {
  holder: RefObject<HTMLDivElement | null>;
  view: EditorView | null;
} {
  const holder = useRef<HTMLDivElement>(null);
  const latest = useRef({ value, onChange });
  const [view, setView] = useState<EditorView | null>(null);
  useEffect(() => {
    latest.current = { value, onChange };
  });
  useEffect(() => {
    if (!holder.current) return;
    const report = EditorView.updateListener.of((update) => {
      if (update.docChanged) latest.current.onChange?.(update.state.doc.toString());
    });
    const nonce = EditorView.cspNonce.of(documentNonce());
    const doc = latest.current.value;
    const state = EditorState.create({
      doc,
      extensions: [nonce, report, editorLanguage(language, doc), extensions],
    });
    const made = new EditorView({ parent: holder.current, state });
    setView(made);
    return () => {
      setView(null);
      made.destroy();
    };
  }, [language, extensions]);
  useEffect(() => {
    if (view && view.state.doc.toString() !== value)
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: value } });
  }, [view, value]);
  return { holder, view };
}
