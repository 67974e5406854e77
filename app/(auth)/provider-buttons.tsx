"use client";
import { signIn } from "next-auth/react";
import { useState } from "react";
import { Button } from "@/components/ui/button";

interface ProviderButtonsProps {
  providers: { id: string; name: string }[];
  returnPath: string;
}

/** The ways in beside the password; nothing where none is set up. An account is made at the first sign-in. */
export function ProviderButtons({ providers, returnPath }: ProviderButtonsProps) {
  const [chosen, setChosen] = useState<string | null>(null);
  if (providers.length === 0) return null;
  const enter = (id: string) => {
    setChosen(id);
    // It leaves the page; when it cannot, the button is free again.
    void signIn(id, { callbackUrl: returnPath }).catch(() => setChosen(null));
  };
  return (
    <div className="mt-5 grid gap-2.5">
      <p className="flex items-center gap-3 text-faint text-xs before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        or
      </p>
      {providers.map(({ id, name }) => (
        <Button key={id} size="large" loading={chosen === id} disabled={chosen !== null} onClick={() => enter(id)}>
          Continue with {name}
        </Button>
      ))}
    </div>
  );
}
