import type { ReactNode, Ref } from "react";

export interface PageProps {
  readonly title: string;
  readonly lede?: ReactNode;
  /** Beside the title. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
  /** Room for charts and tables beside each other. */
  readonly wide?: boolean;
  /** The element that scrolls. */
  readonly ref?: Ref<HTMLElement>;
}

/** A page of text, forms and lists, with its heading, in a column that reads well. */
export function Page({ title, lede, actions, children, wide = false, ref }: PageProps) {
  return (
    <main
      ref={ref}
      id="content"
      tabIndex={-1}
      className="relative min-h-0 flex-1 overflow-y-auto outline-none"
    >
      <div
        className={`mx-auto flex w-full flex-col gap-8 px-4 py-8 md:px-8 md:py-10 ${wide ? "max-w-7xl" : "max-w-4xl"}`}
      >
        <header className="flex flex-wrap items-start justify-between gap-4">
          <div className="min-w-0 flex-1 basis-64">
            <h1 className="font-semibold text-2xl tracking-tight">{title}</h1>
            {lede && <p className="mt-1 max-w-xl text-muted">{lede}</p>}
          </div>
          {actions}
        </header>
        {children}
      </div>
    </main>
  );
}
