import { Info } from "lucide-react";
import { useStore } from "../../../app/store.ts";
import { IconButton } from "../../../components/icon-button.tsx";
import { detailsStore, toggleDetails } from "./details-store.ts";

/** Opens and closes the details panel. */
export const DetailsButton = () => (
  <IconButton
    label="Details"
    Icon={Info}
    aria-expanded={useStore(detailsStore)}
    onClick={toggleDetails}
  />
);
