const TIMEOUT_MS = 5_000;

export interface HttpAnswer {
  readonly status: number;
  readonly text: string;
  header(name: string): string | null;
}

/** GETs a URL without credentials and without following redirects. undefined: no response in time. */
export async function ask(url: string): Promise<HttpAnswer | undefined> {
  try {
    const answer = await fetch(url, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
      redirect: "manual",
    });
    const text = await answer.text();
    return { status: answer.status, text, header: (name) => answer.headers.get(name) };
  } catch {
    return undefined;
  }
}
