/** A time as the API takes it. */
export const momentOf = (time: Date | string): string =>
  typeof time === "string" ? time : time.toISOString();
