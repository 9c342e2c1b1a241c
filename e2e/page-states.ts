import { FILES_PAGE_STATES } from "./files-page-states.ts";
import { HEALTH_PAGE_STATES } from "./health-page-states.ts";
import { OTHER_PAGE_STATES } from "./other-page-states.ts";
import type { PageState } from "./page-state.ts";
import { SHARING_PAGE_STATES } from "./sharing-page-states.ts";

/** All states of a server with the content of `seedDemo`, `seedSharing` and `seedActivity`. */
export const PAGE_STATES: readonly PageState[] = [
  ...FILES_PAGE_STATES,
  ...SHARING_PAGE_STATES,
  ...HEALTH_PAGE_STATES,
  ...OTHER_PAGE_STATES,
];
