/** An HTTP response, independent of the client that received it. */
export interface HttpResponse {
  readonly status: number;
  /** In the order received, with duplicates, names in lower case. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The first header with this name, or null. */
  header(name: string): string | null;
  /** All headers with this name. */
  all(name: string): string[];
  readonly bytes: Uint8Array;
  readonly text: string;
}

export function createHttpResponse(
  status: number,
  headers: readonly (readonly [string, string])[],
  bytes: Uint8Array,
): HttpResponse {
  const lower = headers.map(([name, value]) => [name.toLowerCase(), value] as const);
  const all = (name: string) =>
    lower.filter(([known]) => known === name.toLowerCase()).map(([, value]) => value);
  return {
    status,
    headers: lower,
    header: (name) => all(name)[0] ?? null,
    all,
    bytes,
    get text() {
      return new TextDecoder().decode(bytes);
    },
  };
}
