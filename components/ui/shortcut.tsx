"use client";

import { useEffect, useState } from "react";
import { Kbd } from "@/components/ui/kbd";

/**
 * A key with the one that commands have on this system: ⌘ on Apple's, Ctrl elsewhere. Nothing until
 * the browser is known: the server would guess.
 */
export function Shortcut({ letter, onColour }: { letter: string; onColour?: boolean }) {
  const [name, setName] = useState("");
  useEffect(
    () => setName(/Mac|iPhone|iPad/.test(navigator.userAgent) ? `⌘${letter}` : `Ctrl ${letter}`),
    [letter],
  );
  return name ? <Kbd onColour={onColour}>{name}</Kbd> : null;
}
