const TIMEOUT_MS = 5_000;

export interface HttpResponse {
  readonly status: number;
  readonly text: string;
  header(name: string): string | null;
}

/** GETs a URL without credentials and without following redirects. undefined: no response in time. */
export async function get(url: string): Promise<HttpResponse | undefined> {
  try {
    const response = await fetch(url, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
      redirect: "manual",
    });
    const text = await response.text();
    return { status: response.status, text, header: (name) => response.headers.get(name) };
  } catch {
    return undefined;
  }
}
