import type { Exif } from "./read-exif.ts";

/** "1:02:03", or "0:07". */
export function formatPlayTime(seconds: number): string {
  const whole = Math.round(seconds);
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const [hours = 0, ...rest] = parts;
  const shown = hours > 0 ? parts : rest;
  return shown.map((part, at) => (at === 0 ? `${part}` : `${part}`.padStart(2, "0"))).join(":");
}

/** "1/250 s", or "2.5 s". */
export const formatExposure = (seconds: number): string =>
  seconds > 0 && seconds < 0.4 ? `1/${Math.round(1 / seconds)} s` : `${round(seconds)} s`;

/** "33.86000° S, 151.20000° E". undefined: unknown. */
export function formatPlace({ latitude, longitude }: Exif): string | undefined {
  if (latitude === undefined || longitude === undefined) return undefined;
  const degrees = (value: number) => `${Math.abs(value).toFixed(5)}°`;
  return `${degrees(latitude)} ${latitude < 0 ? "S" : "N"}, ${degrees(longitude)} ${longitude < 0 ? "W" : "E"}`;
}

/** "2026:07:01 18:30:00" as "2026-07-01 18:30:00". The camera's time zone is unknown. */
export const formatTakenAt = (text: string): string =>
  text.replace(/^(\d{4}):(\d\d):(\d\d)/, "$1-$2-$3");

export const round = (value: number): string => `${Math.round(value * 10) / 10}`;
