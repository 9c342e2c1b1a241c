import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

export interface EmptyStateProps {
  readonly title: string;
  readonly Icon?: LucideIcon;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}

/** Placeholder for an area without content: what belongs there and how to start. */
export function EmptyState({ title, Icon, children, action }: EmptyStateProps) {
  return (
    <div className="mx-auto flex w-full max-w-lg flex-col items-center gap-3 px-4 py-12 text-center">
      {Icon && (
        <span className="mb-1 grid size-12 place-items-center rounded-xl border border-accent-line bg-accent-soft shadow-sm">
          <Icon aria-hidden className="size-5.5 text-accent" />
        </span>
      )}
      <h2 className="font-semibold text-lg">{title}</h2>
      <div className="flex w-full flex-col items-center gap-3 text-balance text-muted">
        {children}
      </div>
      {action && <div className="mt-2 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  );
}
