/**
 * The text of a header in UTF-8. The runtime gives each byte of a header as one character. Bytes that
 * are not UTF-8 stay characters of ISO 8859-1.
 */
export function headerText(value: string): string {
  if (!/[\x80-\xff]/.test(value)) return value;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(
      Buffer.from(value, "latin1"),
    );
  } catch {
    return value;
  }
}

/** A text as the runtime sends it in a header: each byte of its UTF-8 as one character. */
export const headerValue = (text: string): string => Buffer.from(text).toString("latin1");
