import { formatFullTimestamp, formatTimestamp, parseTimestamp } from "../text/timestamp.ts";

/** A short timestamp, with the full one as its title. */
export function Timestamp({ at }: { readonly at: string }) {
  return (
    <time dateTime={parseTimestamp(at).toISOString()} title={formatFullTimestamp(at)}>
      {formatTimestamp(at)}
    </time>
  );
}
