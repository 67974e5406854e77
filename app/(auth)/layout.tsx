import type { ReactNode } from "react";
import { Logo } from "@/components/brand/logo";
import { ProductPanel } from "@/components/brand/product-panel";

export default function AuthLayout({ children }: { children: ReactNode }) {
  return (
    <div className="grid min-h-dvh lg:grid-cols-[minmax(0,1fr)_minmax(0,1.1fr)]">
      <div className="flex flex-col px-6 py-6 sm:px-10 lg:py-8">
        <header>
          <Logo />
        </header>
        <main className="mx-auto flex w-full max-w-sm flex-1 flex-col justify-center py-10">
          {children}
        </main>
        <footer className="text-faint text-xs">Agents, made to order.</footer>
      </div>
      <ProductPanel />
    </div>
  );
}
