/** Quotes text for a POSIX shell. */
export const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

export const quoteIfNeeded = (text: string): string =>
  /^[\w%./:@~-]+$/.test(text) ? text : quote(text);
