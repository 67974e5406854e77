"use client";
import { createContext, useContext } from "react";

/** The addresses of the two APIs, by account keys and by app keys, without a slash at their ends. */
export interface BaseUrls {
  api: string;
  app: string;
}

export const BaseUrlContext = createContext<BaseUrls>({ api: "", app: "" });

/** The address of one, for code that the reader copies. */
export function useBaseUrl(surface: keyof BaseUrls = "api"): string {
  return useContext(BaseUrlContext)[surface];
}
