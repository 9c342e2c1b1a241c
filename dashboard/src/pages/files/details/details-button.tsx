import { Info } from "lucide-react";
import { useStore } from "../../../app/store.ts";
import { IconButton } from "../../../components/icon-button.tsx";
import { detailsStore, toggleDetails } from "./details-store.ts";

export interface DetailsButtonProps {
  /** Shows the label beside the icon on wide screens. */
  readonly showsLabel?: boolean;
  readonly className?: string;
}

/** Opens and closes the details panel. */
export const DetailsButton = ({ showsLabel = false, className = "" }: DetailsButtonProps) => (
  <IconButton
    label="Details"
    Icon={Info}
    showsLabel={showsLabel}
    className={className}
    aria-expanded={useStore(detailsStore)}
    onClick={toggleDetails}
  />
);
