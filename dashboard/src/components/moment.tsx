import { fullMomentText, momentText, parseMoment } from "../text/moment.ts";

/** A short timestamp, with the full one as its title. */
export function Moment({ at }: { readonly at: string }) {
  return (
    <time dateTime={parseMoment(at).toISOString()} title={fullMomentText(at)}>
      {momentText(at)}
    </time>
  );
}
