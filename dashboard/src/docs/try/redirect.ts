import type { TriedOperation } from "./contract.ts";
import { block, element } from "./element.ts";

/** In place of a form: scripts cannot follow a redirect to another site, and see nothing of its response. */
export function describeRedirect({ path }: TriedOperation, site: URL): HTMLElement {
  const { href } = new URL(path.replace(/^\//, ""), site);
  return element(
    "div",
    {},
    element(
      "p",
      {},
      "There is nothing to send from here: a browser opens this address as a page, and is sent on to another one.",
    ),
    block("Address", href),
  );
}
