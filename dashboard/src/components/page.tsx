import type { ReactNode, Ref } from "react";

export interface PageProps {
  readonly title: string;
  readonly description?: ReactNode;
  /** Next to the title. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
  /** The scrolling element. */
  readonly ref?: Ref<HTMLElement>;
}

/** Standard page layout: a heading and a column of readable width. */
export function Page({ title, description, actions, children, ref }: PageProps) {
  return (
    <main
      ref={ref}
      id="content"
      tabIndex={-1}
      className="relative min-h-0 flex-1 overflow-y-auto outline-none"
    >
      <div className="mx-auto flex w-full max-w-6xl flex-col gap-8 px-4 py-6 md:px-8 md:py-10">
        <header className="flex flex-wrap items-start justify-between gap-4">
          <div className="min-w-0 flex-1 basis-64">
            <h1 className="font-semibold text-2xl tracking-tight">{title}</h1>
            {description && <p className="mt-1 max-w-xl text-muted">{description}</p>}
          </div>
          {actions}
        </header>
        {children}
      </div>
    </main>
  );
}
