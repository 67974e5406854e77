"use client";
import { createContext, useContext } from "react";

/** The addresses of the two doors, without a slash at their ends. */
export interface BaseUrls {
  api: string;
  app: string;
}

export const BaseUrlContext = createContext<BaseUrls>({ api: "", app: "" });

/** The address of a door, for code that the reader copies. */
export function useBaseUrl(door: keyof BaseUrls = "api"): string {
  return useContext(BaseUrlContext)[door];
}
