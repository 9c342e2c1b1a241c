import { renderImage } from "../../images/render-image.ts";
import { answerParent } from "./answer-parent.ts";

/** The process that scales images for a server. */
export const imageProcessCommand = (): void => answerParent("image-process", renderImage);
