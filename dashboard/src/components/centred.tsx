import type { ReactNode } from "react";
import { addressOf } from "../app/location.ts";
import { Mark } from "./mark.tsx";

export interface CentredProps {
  readonly title: string;
  readonly lede?: ReactNode;
  readonly children?: ReactNode;
}

/** A centered page with a single task, without the shell. */
export function Centred({ title, lede, children }: CentredProps) {
  return (
    <div className="flex min-h-dvh flex-col bg-side">
      <main
        id="content"
        tabIndex={-1}
        className="m-auto flex w-full max-w-104 flex-col gap-6 px-4 py-12 outline-none"
      >
        <div className="flex flex-col items-center gap-4 text-center">
          <Mark className="size-11" />
          <div>
            <h1 className="font-semibold text-2xl tracking-tight">{title}</h1>
            {lede && <p className="mt-2 text-balance text-muted">{lede}</p>}
          </div>
        </div>
        {children}
      </main>
      <footer className="flex justify-center gap-4 pb-6 text-muted text-sm">
        <span>Holdall</span>
        <a href={addressOf("/docs")} className="underline-offset-4 hover:underline">
          API reference
        </a>
      </footer>
    </div>
  );
}
