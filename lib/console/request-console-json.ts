import { type ConsoleRequest, requestConsole } from "@/lib/console/request-console";

/** `requestConsole` for an answer of JSON; an empty answer (204) gives `undefined`. */
export async function requestConsoleJson<T>(path: string, request?: ConsoleRequest): Promise<T> {
  const response = await requestConsole(path, request);
  const text = await response.text();
  // The routes answer in the shapes of the contract, which their own tests check.
  return (text === "" ? undefined : JSON.parse(text)) as T;
}
