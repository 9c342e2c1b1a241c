import { Trash2 } from "lucide-react";
import type { ReactNode } from "react";
import { IconButton } from "../../components/icon-button.tsx";

export const GRANT_LIST_CLASS = "rounded-lg border border-line";

export interface GrantItemProps {
  readonly folder: ReactNode;
  /** The folder in the label of the button. */
  readonly name: string;
  readonly isBusy?: boolean;
  readonly onRemove: () => void;
  /** Controls that change the access to the folder. */
  readonly children?: ReactNode;
}

/** A folder in a list of grants, which can be removed from it. */
export function GrantItem({ folder, name, isBusy = false, onRemove, children }: GrantItemProps) {
  return (
    <li data-row className="flex flex-col gap-2 border-line border-t px-3 py-2.5 first:border-t-0">
      <div className="flex items-start justify-between gap-2">
        <p className="wrap-anywhere min-w-0 pt-1.5 font-medium text-sm">{folder}</p>
        <IconButton
          label={`Remove access to ${name}`}
          Icon={Trash2}
          // A disabled button would lose the focus.
          aria-disabled={isBusy || undefined}
          className="aria-disabled:opacity-40"
          onClick={() => {
            if (!isBusy) onRemove();
          }}
        />
      </div>
      {children}
    </li>
  );
}
