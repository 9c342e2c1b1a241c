import type { AnchorHTMLAttributes, MouseEvent } from "react";
import { addressOf, go } from "./location.ts";

export interface LinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  /** A path within the dashboard, without the base path. */
  readonly to: string;
}

/** A link within the dashboard. Clicks with a modifier key are left to the browser. */
export function Link({ to, onClick, ...rest }: LinkProps) {
  const press = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    const elsewhere = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
    if (event.defaultPrevented || event.button !== 0 || elsewhere) return;
    event.preventDefault();
    go(to);
  };
  return <a href={addressOf(to)} onClick={press} {...rest} />;
}
