import { navigate, usePathname, useSearch } from "wouter/use-browser-location";

/** The path below which the site is shown: empty, or with a slash in front only. */
export const base =
  document.querySelector<HTMLMetaElement>('meta[name="holdall-base"]')?.content ?? "";

/** The address of a path of the dashboard, for links. */
export const addressOf = (path: string): string => base + path;

/** Where the browser is, still percent-encoded, such as `/files/my%20folder`. */
export function usePath(): string {
  return withoutBase(usePathname());
}

/** The query, with its question mark when there is one. */
export const useQueryText = (): string => useSearch();

/** The current path with its query. */
export const here = (): string => withoutBase(location.pathname) + location.search;

/** Shows another path of the dashboard. */
export function go(path: string): void {
  navigate(addressOf(path));
}

/** The same, in place of the current entry of the history. */
export function goInstead(path: string): void {
  navigate(addressOf(path), { replace: true });
}

const withoutBase = (path: string): string =>
  (path.startsWith(base) ? path.slice(base.length) : path) || "/";
