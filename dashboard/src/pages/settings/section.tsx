import { type ReactNode, useId } from "react";

export interface SectionProps {
  readonly title: string;
  readonly description?: ReactNode;
  readonly children: ReactNode;
}

/** A section of the settings: title on the left, controls on the right. */
export function Section({ title, description, children }: SectionProps) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className="grid gap-4 border-line border-t pt-6 first:border-t-0 first:pt-0 lg:first:pt-1 xl:grid-cols-[13rem_minmax(0,1fr)] xl:gap-8"
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

export const SectionList = ({ children }: { readonly children: ReactNode }) => (
  <div className="flex flex-col gap-8">{children}</div>
);
