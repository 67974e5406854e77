import type { BuiltInPorts } from "@/lib/runtime/tools/built-in";
import { BUILT_IN_TOOLS } from "@/lib/runtime/tools/built-in-tools";
import type { RuntimeTool } from "@/lib/runtime/tools/tool";

const never = () => Promise.reject(new Error("no test asks for this"));

/** Ports of a run that has everything, each of which refuses what a test does not replace. */
export const TEST_PORTS: BuiltInPorts = {
  reach: { allow: [] },
  search: { name: "searxng", url: "http://search.test", key: "" },
  modelSearch: null,
  modelCode: null,
  pythonImage: false,
  codeSkills: null,
  answers: { find: never },
  fetchRule: null,
  skills: { find: never, readFile: never },
  memory: { list: never, save: never, update: never, remove: never },
  media: { models: [], port: { make: never } },
};

/** The service's own tools as a run with these ports has them. */
export function allTestTools(ports: Partial<BuiltInPorts> = {}): RuntimeTool[] {
  return BUILT_IN_TOOLS.flatMap(({ make }) => make({ ...TEST_PORTS, ...ports }) ?? []);
}

/** Those that configs list and that ask nothing of the world outside. */
export function testTools(): RuntimeTool[] {
  return BUILT_IN_TOOLS.flatMap(({ facts, make }) =>
    facts.offered === "config" && facts.within && facts.group !== "media"
      ? (make(TEST_PORTS) ?? [])
      : [],
  );
}
