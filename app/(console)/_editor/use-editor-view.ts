"use client";
import { EditorState, type Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { type RefObject, useEffect, useRef, useState } from "react";
import { documentNonce } from "@/components/document-nonce";
import { type EditorLanguage, editorLanguage } from "./editor-language";

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
    const state = EditorState.create({ doc, extensions: [nonce, report, editorLanguage(language, doc), extensions] });
    const made = new EditorView({ parent: holder.current, state });
    setView(made);
    return () => {
      setView(null);
      made.destroy();
    };
  }, [language, extensions]);
  useEffect(() => {
    if (view && view.state.doc.toString() !== value) view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: value } });
  }, [view, value]);
  return { holder, view };
}
