import { z } from "zod";

const MOMENT = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)?(?:Z|[+-]\d\d:\d\d)?$/;
const NO_MOMENT = "must be a time such as `2026-01-31 09:30:00` or `2026-01-31T09:30:00Z`";

/** A time as text, read as milliseconds since 1970. A time without a zone is UTC. */
export const moment = z
  .string({ error: NO_MOMENT })
  .regex(MOMENT, { error: NO_MOMENT })
  .transform((text, context) => {
    const [day = "", time = "00:00"] = text.replace("Z", "").split(/[T ]/);
    const zone = /[+-]\d\d:\d\d$/.test(time) ? "" : "Z";
    const millis = Date.parse(`${day}T${time}${zone}`);
    // `Date` accepts 31 February and takes it as a day in March.
    const isDay = new Date(`${day}T00:00Z`).toJSON()?.startsWith(day) ?? false;
    if (Number.isNaN(millis) || !isDay) context.addIssue(NO_MOMENT);
    return millis;
  });
