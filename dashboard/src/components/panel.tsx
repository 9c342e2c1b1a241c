import { type ReactNode, useId } from "react";
import { Card } from "./card.tsx";

export interface PanelProps {
  readonly title: string;
  /** Next to the title. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
  readonly className?: string;
}

/** A card with a heading. */
export function Panel({ title, aside, children, className = "" }: PanelProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={`min-w-0 ${className}`}>
      <Card className="flex h-full flex-col gap-4 p-4 sm:p-5">
        <div className="flex min-h-8 flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <h2 id={id} className="font-semibold">
            {title}
          </h2>
          {aside}
        </div>
        {children}
      </Card>
    </section>
  );
}
