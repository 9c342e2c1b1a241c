/** The browser's time zone at a moment, for people: "Europe/Berlin, UTC+01:00". */
export function timeZoneText(at = new Date()): string {
  const name = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const minutes = -at.getTimezoneOffset();
  const sign = minutes < 0 ? "−" : "+";
  const hours = String(Math.floor(Math.abs(minutes) / 60)).padStart(2, "0");
  const rest = String(Math.abs(minutes) % 60).padStart(2, "0");
  const offset = minutes === 0 ? "UTC" : `UTC${sign}${hours}:${rest}`;
  return name === offset ? name : `${name}, ${offset}`;
}

/** A moment as `<input type="datetime-local">` takes it, in the browser's time zone. */
export function localInputText(at: Date): string {
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}
