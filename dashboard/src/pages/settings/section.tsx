import { type ReactNode, useId } from "react";

export interface SectionProps {
  /** The element id, for links such as `/settings#activity`. */
  readonly anchor?: string;
  readonly title: string;
  readonly description?: ReactNode;
  readonly children: ReactNode;
}

/** A section of the settings: title on the left, controls on the right. */
export function Section({ anchor, title, description, children }: SectionProps) {
  const id = useId();
  return (
    <section
      id={anchor}
      aria-labelledby={id}
      className="grid scroll-mt-4 gap-4 border-line border-t pt-6 lg:grid-cols-[14rem_minmax(0,1fr)] lg:gap-8"
    >
      <div>
        <h2 id={id} className="font-semibold">
          {title}
        </h2>
        {description && <p className="mt-1 text-muted text-sm">{description}</p>}
      </div>
      <div className="min-w-0">{children}</div>
    </section>
  );
}
