/** An HTTP answer as the tests look at it, whichever client received it. */
export interface Answer {
  readonly status: number;
  /** In the order received, duplicates kept, names in lower case. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The first header of this name, or null. */
  header(name: string): string | null;
  /** Every header of this name. */
  all(name: string): string[];
  readonly bytes: Uint8Array;
  readonly text: string;
}

export function createAnswer(
  status: number,
  headers: readonly (readonly [string, string])[],
  bytes: Uint8Array,
): Answer {
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
