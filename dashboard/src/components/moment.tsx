import { fullMomentText, momentText, parseMoment } from "../text/moment.ts";

/** When something was, short, with the whole of it as its title. */
export function Moment({ at }: { readonly at: string }) {
  return (
    <time dateTime={parseMoment(at).toISOString()} title={fullMomentText(at)}>
      {momentText(at)}
    </time>
  );
}
