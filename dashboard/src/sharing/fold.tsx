import { ChevronRight } from "lucide-react";
import { type ReactNode, useState } from "react";

export interface FoldProps {
  readonly title: string;
  /** Beside the title while it is closed. */
  readonly note?: ReactNode;
  /** Rendered when it is first opened. */
  readonly children: ReactNode;
}

/** A part of a dialog that is closed at first. */
export function Fold({ title, note, children }: FoldProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details
      className="group border-line border-t pt-3"
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary className="flex min-h-8 list-none flex-wrap items-center gap-x-2 gap-y-0.5 rounded-sm text-sm hover:text-accent pointer-coarse:min-h-11 [&::-webkit-details-marker]:hidden">
        <ChevronRight aria-hidden className="size-4 flex-none group-open:rotate-90" />
        <span className="font-medium">{title}</span>
        {!isOpen && note && <span className="text-muted">{note}</span>}
      </summary>
      {isOpen && children}
    </details>
  );
}
