const pad = (value: number): string => String(value).padStart(2, "0");

/** A time as a `datetime-local` input shows it: in the browser's time zone, to the minute. */
export const localInputOf = (time: Date): string =>
  `${time.getFullYear()}-${pad(time.getMonth() + 1)}-${pad(time.getDate())}T${pad(time.getHours())}:${pad(time.getMinutes())}`;

/** The time in such an input; undefined: there is none. */
export function timeOfInput(text: string): Date | undefined {
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? undefined : time;
}
