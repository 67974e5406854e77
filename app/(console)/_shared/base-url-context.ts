"use client";
import { createContext, useContext } from "react";

export const BaseUrlContext = createContext("");

/** The service's address, for code that the reader copies. */
export function useBaseUrl(): string {
  return useContext(BaseUrlContext);
}
