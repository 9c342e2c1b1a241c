import { navigate, usePathname, useSearch } from "wouter/use-browser-location";

/** The path that the site is served below: empty, or with a leading slash only. */
export const basePath =
  document.querySelector<HTMLMetaElement>('meta[name="holdall-base"]')?.content ?? "";

/** Prefixes a dashboard path with the base path, for links. */
export const withBasePath = (path: string): string => basePath + path;

/** The current dashboard path, still percent-encoded, such as `/files/my%20folder`. */
export function usePath(): string {
  return withoutBasePath(usePathname());
}

/** The query string, with its question mark if there is one. */
export const useQueryString = (): string => useSearch();

/** The current path with its query string. */
export const currentPath = (): string => withoutBasePath(location.pathname) + location.search;

let isReturning = false;
window.addEventListener("popstate", () => {
  isReturning = true;
});

/** Whether the current page was opened by the browser's Back or Forward. */
export const isReturn = (): boolean => isReturning;

/** Opens another path of the dashboard. */
export function navigateTo(path: string): void {
  isReturning = false;
  navigate(withBasePath(path));
}

/** The same, replacing the current history entry. */
export function redirectTo(path: string): void {
  isReturning = false;
  navigate(withBasePath(path), { replace: true });
}

const withoutBasePath = (path: string): string =>
  (path.startsWith(basePath) ? path.slice(basePath.length) : path) || "/";
