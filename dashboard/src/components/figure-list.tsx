import type { ReactNode } from "react";

/** Shows names with their values, one a line. */
export const FigureList = ({ children }: { readonly children: ReactNode }) => (
  <dl className="flex flex-col divide-y divide-line border-line border-t">{children}</dl>
);

export interface FigureProps {
  readonly name: string;
  readonly value: ReactNode;
}

export const Figure = ({ name, value }: FigureProps) => (
  <div className="grid grid-cols-[auto_minmax(0,1fr)] items-baseline gap-4 py-2 last:pb-0">
    <dt className="text-muted">{name}</dt>
    <dd className="break-words text-right font-medium tabular-nums">{value}</dd>
  </div>
);
