import type { Page } from "playwright-core";

/** Something done on a page until it looks as it is wanted. */
export type Step = (page: Page) => Promise<unknown>;

export const press =
  (name: string | RegExp): Step =>
  (page) =>
    page.getByRole("button", { name }).first().click();

export const select =
  (name: string): Step =>
  (page) =>
    page.getByRole("checkbox", { name: `Select ${name}`, exact: true }).click();

/** One after the other. */
export const each =
  (...steps: readonly Step[]): Step =>
  async (page) => {
    for (const step of steps) await step(page);
  };

const FAILURE = {
  status: 500,
  json: { data: null, error: { message: "Unexpected server error" } },
};

/** The server cannot answer these requests. */
export const failing =
  (url: string): Step =>
  (page) =>
    page.route(url, (route) => route.fulfill(FAILURE));
