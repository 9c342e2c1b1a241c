import type { AnchorHTMLAttributes, MouseEvent } from "react";
import { hasModifier } from "../shortcuts/has-modifier.ts";
import { navigateTo, withBasePath } from "./location.ts";

export interface LinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  /** A path within the dashboard, without the base path. */
  readonly to: string;
}

/** A link within the dashboard. Clicks with a modifier key are left to the browser. */
export function Link({ to, onClick, ...rest }: LinkProps) {
  const handleClick = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    if (event.defaultPrevented || event.button !== 0 || hasModifier(event)) return;
    event.preventDefault();
    navigateTo(to);
  };
  return <a href={withBasePath(to)} onClick={handleClick} {...rest} />;
}
