"use client";
import { yaml } from "@codemirror/lang-yaml";
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import CodeMirror from "@uiw/react-codemirror";

/** By the page's own variables, so that one style serves light and dark. */
const HIGHLIGHT = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--code-key)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--code-string)" },
  { tag: [tags.number, tags.bool, tags.null, tags.keyword, tags.atom], color: "var(--code-number)" },
  { tag: tags.comment, color: "var(--code-comment)", fontStyle: "italic" },
  { tag: [tags.punctuation, tags.separator, tags.meta], color: "var(--muted)" },
]);

const THEME = EditorView.theme({
  "&": { backgroundColor: "transparent", color: "var(--foreground)", fontSize: "0.75rem" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--font-geist-mono)", lineHeight: "1.65" },
  ".cm-content": { padding: "0.875rem 0" },
  ".cm-line": { padding: "0 1rem" },
  ".cm-gutters": { backgroundColor: "transparent", border: "none", color: "var(--faint)", paddingLeft: "0.5rem" },
  ".cm-selectionBackground, &.cm-focused .cm-selectionBackground": {
    backgroundColor: "color-mix(in oklab, var(--accent) 24%, transparent) !important",
  },
});

/** YAML to read and select, not to change. */
export function YamlView({ text, label }: { text: string; label: string }) {
  return (
    <CodeMirror
      value={text}
      theme="none"
      maxHeight="70dvh"
      editable={false}
      basicSetup={{ highlightActiveLine: false, highlightActiveLineGutter: false, foldGutter: false }}
      extensions={[
        yaml(),
        syntaxHighlighting(HIGHLIGHT),
        THEME,
        EditorState.readOnly.of(true),
        EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
      ]}
    />
  );
}
