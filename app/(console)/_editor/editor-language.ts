import { markdown } from "@codemirror/lang-markdown";
import { yaml, yamlFrontmatter } from "@codemirror/lang-yaml";
import type { Extension } from "@codemirror/state";

export type EditorLanguage = "markdown" | "yaml" | "json";

/** The grammar of a text. A skill may begin with YAML between dashes; JSON is read as the YAML that it is. */
export function editorLanguage(language: EditorLanguage): Extension {
  return language === "markdown" ? yamlFrontmatter({ content: markdown() }) : yaml();
}
