import type { ReactNode } from "react";

export interface DetailSectionProps {
  readonly title: string;
  readonly children: ReactNode;
}

/** A part of the panel with a heading. */
export const DetailSection = ({ title, children }: DetailSectionProps) => (
  <section className="flex flex-col gap-2">
    <h3 className="font-semibold text-sm">{title}</h3>
    {children}
  </section>
);

/** Names and values. Those without a value are left out. */
export function DetailList({
  items,
}: {
  readonly items: readonly (readonly [name: string, value: ReactNode])[];
}) {
  return (
    <dl className="grid grid-cols-[max-content_minmax(0,1fr)] items-baseline gap-x-4 gap-y-1.5 text-sm">
      {items
        .filter(([, value]) => value !== undefined && value !== null)
        .map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-muted">{name}</dt>
            <dd className="min-w-0 break-words">{value}</dd>
          </div>
        ))}
    </dl>
  );
}
