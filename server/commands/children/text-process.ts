import { answerTextJob } from "../../http/links/render-text.ts";
import { answerParent } from "./answer-parent.ts";

/** The process that renders texts for a server. */
export const textProcessCommand = (): void => answerParent("text-process", answerTextJob);
