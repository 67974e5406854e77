import { markdown } from "@codemirror/lang-markdown";
import { yaml, yamlFrontmatter } from "@codemirror/lang-yaml";
import { Compartment, EditorState, type Extension } from "@codemirror/state";
import { isCostlyText } from "@/lib/console/is-costly-text";

export type EditorLanguage = "markdown" | "yaml" | "json";

const NO_GRAMMAR: Extension = [];

/** The grammar of a text that begins as `text`, for as long as the text is one that the grammar can read in time: a stranger's may not be. */
export function editorLanguage(language: EditorLanguage, text: string): Extension {
  const place = new Compartment();
  const grammar = grammarOf(language);
  const grammarFor = (now: string): Extension => (isCostlyText(now, language) ? NO_GRAMMAR : grammar);
  return [
    place.of(grammarFor(text)),
    // In the very transaction that brings the text: the grammar would read it at once.
    EditorState.transactionExtender.of((transaction) => {
      if (!transaction.docChanged) return null;
      const wanted = grammarFor(transaction.newDoc.toString());
      return wanted === place.get(transaction.startState) ? null : { effects: place.reconfigure(wanted) };
    }),
  ];
}

/** A skill may begin with YAML between dashes; JSON is read as the YAML that it is. */
function grammarOf(language: EditorLanguage): Extension {
  return language === "markdown" ? yamlFrontmatter({ content: markdown() }) : yaml();
}
