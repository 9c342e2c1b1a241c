import type { PageState } from "./page-state.ts";
import type { Step } from "./steps.ts";

/** A state of a server without a trash, and what its page says word by word. */
export interface WordingState extends PageState {
  readonly texts: readonly (string | RegExp)[];
}

/** Refuses all requests but reads. */
export const refuse =
  (url: string, status: number, headers: Record<string, string> = {}): Step =>
  (page) =>
    page.route(url, (route) => {
      const json = { data: null, error: { message: "Refused" } };
      return route.request().method() === "GET"
        ? route.fallback()
        : route.fulfill({ status, headers, json });
    });

export const disconnect =
  (url: string): Step =>
  (page) =>
    page.route(url, (route) => route.abort("connectionrefused"));
