import type { ReactNode } from "react";
import { instanceLogo, instanceName } from "../app/brand.ts";
import { withBasePath } from "../app/navigation/location.ts";
import { Logo } from "./logo.tsx";

export interface CenteredPageProps {
  readonly title: string;
  readonly description?: ReactNode;
  readonly children?: ReactNode;
}

/** A centered page with a single task, without the shell. */
export function CenteredPage({ title, description, children }: CenteredPageProps) {
  return (
    <div className="flex min-h-dvh flex-col bg-side">
      <main
        id="content"
        tabIndex={-1}
        className="m-auto flex w-full max-w-104 flex-col gap-6 px-4 py-12 outline-none"
      >
        <div className="flex flex-col items-center gap-4 text-center">
          {instanceLogo === undefined ? (
            <Logo className="size-11" />
          ) : (
            <img {...instanceLogo} alt="" className="h-auto max-h-20 w-auto max-w-40" />
          )}
          {instanceName !== "Holdall" && (
            <bdi className="wrap-anywhere max-w-full font-semibold">{instanceName}</bdi>
          )}
          <div>
            <h1 className="font-semibold text-2xl tracking-tight">{title}</h1>
            {description && <p className="mt-2 text-balance text-muted">{description}</p>}
          </div>
        </div>
        {children}
      </main>
      <footer className="flex justify-center gap-4 pb-6 text-muted text-sm">
        <span>Holdall</span>
        <a href={withBasePath("/docs")} className="underline-offset-4 hover:underline">
          Documentation
        </a>
      </footer>
    </div>
  );
}
