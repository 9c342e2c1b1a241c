import type { Page } from "playwright-core";

/** An interaction with a page. */
export type Step = (page: Page) => Promise<unknown>;

export const press =
  (name: string | RegExp): Step =>
  (page) =>
    page.getByRole("button", { name }).first().click();

export const select =
  (name: string): Step =>
  (page) =>
    page.getByRole("checkbox", { name: `Select ${name}`, exact: true }).click();

/** Runs steps in order. */
export const each =
  (...steps: readonly Step[]): Step =>
  async (page) => {
    for (const step of steps) await step(page);
  };

const FAILURE = {
  status: 500,
  json: { data: null, error: { message: "Unexpected server error" } },
};

/** Makes matching requests fail with 500. */
export const failing =
  (url: string): Step =>
  (page) =>
    page.route(url, (route) => route.fulfill(FAILURE));
