import { navigate, usePathname, useSearch } from "wouter/use-browser-location";

/** The path that the site is served below: empty, or with a leading slash only. */
export const base =
  document.querySelector<HTMLMetaElement>('meta[name="holdall-base"]')?.content ?? "";

/** Prefixes a dashboard path with the base path, for links. */
export const addressOf = (path: string): string => base + path;

/** The current dashboard path, still percent-encoded, such as `/files/my%20folder`. */
export function usePath(): string {
  return withoutBase(usePathname());
}

/** The query string, with its question mark if there is one. */
export const useQueryText = (): string => useSearch();

/** The current path with its query string. */
export const here = (): string => withoutBase(location.pathname) + location.search;

/** Opens another path of the dashboard. */
export function go(path: string): void {
  navigate(addressOf(path));
}

/** The same, replacing the current history entry. */
export function goInstead(path: string): void {
  navigate(addressOf(path), { replace: true });
}

const withoutBase = (path: string): string =>
  (path.startsWith(base) ? path.slice(base.length) : path) || "/";
