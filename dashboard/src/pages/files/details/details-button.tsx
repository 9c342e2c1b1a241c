import { Info } from "lucide-react";
import { useStore } from "../../../app/store.ts";
import { IconButton } from "../../../components/icon-button.tsx";
import { detailsStore, toggleDetails } from "./details-store.ts";

export interface DetailsButtonProps {
  /** Shows the label beside the icon on wide screens. */
  readonly showsLabel?: boolean;
}

/** Opens and closes the details panel. */
export const DetailsButton = ({ showsLabel = false }: DetailsButtonProps) => (
  <IconButton
    label="Details"
    Icon={Info}
    showsLabel={showsLabel}
    aria-expanded={useStore(detailsStore)}
    onClick={toggleDetails}
  />
);
