import { FILES_STATES } from "./files-states.ts";
import { PAGE_STATES } from "./page-states.ts";
import type { State } from "./state.ts";

/** All states of a server with the content of `seedDemo` and `seedDeeds`. */
export const STATES: readonly State[] = [...FILES_STATES, ...PAGE_STATES];
