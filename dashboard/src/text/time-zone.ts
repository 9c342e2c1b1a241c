/** Formats the browser's time zone and its offset at a date: "Europe/Berlin, UTC+01:00". */
export function formatTimeZone(at = new Date()): string {
  const name = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const minutes = -at.getTimezoneOffset();
  const sign = minutes < 0 ? "−" : "+";
  const hours = String(Math.floor(Math.abs(minutes) / 60)).padStart(2, "0");
  const rest = String(Math.abs(minutes) % 60).padStart(2, "0");
  const offset = minutes === 0 ? "UTC" : `UTC${sign}${hours}:${rest}`;
  return name === offset ? name : `${name}, ${offset}`;
}

/** The value of a date for `<input type="datetime-local">`, in the browser's time zone. */
export function toLocalInputValue(at: Date): string {
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}
