import { useEffect, useState } from "react";
import {
  formatFullTimestamp,
  formatTimestamp,
  parseTimestamp,
  untilNextText,
} from "../text/timestamp.ts";

export interface TimestampProps {
  readonly at: string;
  /** "long": with the time of day, also on other days of this year. */
  readonly length?: "short" | "long";
}

/** A short timestamp, with the full one as its title. It keeps up with the time: "5 min ago". */
export function Timestamp({ at, length }: TimestampProps) {
  const [minutes, setMinutes] = useState(0);
  useEffect(() => {
    const wait = untilNextText(at);
    if (wait === undefined) return;
    const timer = setTimeout(() => setMinutes(minutes + 1), wait);
    return () => clearTimeout(timer);
  }, [at, minutes]);
  return (
    <time dateTime={parseTimestamp(at).toISOString()} title={formatFullTimestamp(at)}>
      {formatTimestamp(at, new Date(), length)}
    </time>
  );
}
