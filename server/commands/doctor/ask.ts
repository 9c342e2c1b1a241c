const PATIENCE_MS = 5_000;

export interface AuditDetails {
  readonly status: number;
  readonly text: string;
  header(name: string): string | null;
}

/** What an address answers to a visitor; undefined: nothing, in time. */
export async function ask(url: string): Promise<AuditDetails | undefined> {
  try {
    const answer = await fetch(url, {
      signal: AbortSignal.timeout(PATIENCE_MS),
      redirect: "manual",
    });
    const text = await answer.text();
    return { status: answer.status, text, header: (name) => answer.headers.get(name) };
  } catch {
    return undefined;
  }
}
