import { Globe, Lock, type LucideIcon } from "lucide-react";
import type { Visibility } from "../../../../sdk/src/holdall.ts";

export const VISIBILITIES: Readonly<
  Record<Visibility, { readonly label: string; readonly Icon: LucideIcon }>
> = {
  public: { label: "Public", Icon: Globe },
  private: { label: "Private", Icon: Lock },
};

export interface VisibilityMarkProps {
  readonly visibility: Visibility;
  readonly tooltip?: string | undefined;
  /** Shows the word only in the tooltip and to screen readers. */
  readonly isIcon?: boolean | undefined;
  readonly className?: string | undefined;
}

/** Says in a word and an icon whether something is public or private. */
export function VisibilityMark(props: VisibilityMarkProps) {
  const { visibility, tooltip, isIcon = false, className = "" } = props;
  const { label, Icon } = VISIBILITIES[visibility];
  return (
    <span
      data-tooltip={tooltip ?? (isIcon ? label : undefined)}
      className={`inline-flex flex-none items-center gap-1 whitespace-nowrap text-muted text-xs ${className}`}
    >
      <Icon aria-hidden className="size-3.5 flex-none" />
      {isIcon ? <span className="sr-only">{label}</span> : label}
    </span>
  );
}
