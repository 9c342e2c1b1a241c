/** The URLs of a text, one a line. The first line that is none is named. */
export function urlsOf(text: string): {
  readonly urls: readonly string[];
  readonly wrong?: string;
} {
  const lines = text
    .split(/\s+/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const wrong = lines.find((line) => !isHttp(line));
  const urls = [...new Set(lines)];
  return wrong === undefined ? { urls } : { urls, wrong };
}

const isHttp = (line: string): boolean => /^https?:\/\//i.test(line) && URL.canParse(line);

/** The end of the path of a URL, by which people know the file. */
export function nameInUrl(url: string): string {
  const { pathname, host } = new URL(url);
  const last = pathname.split("/").findLast((part) => part !== "");
  try {
    return last === undefined ? host : decodeURIComponent(last);
  } catch {
    return last ?? host;
  }
}
