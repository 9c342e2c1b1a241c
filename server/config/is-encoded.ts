/** Whether every `%` in the text begins an encoded character, as in an address with a password in it. */
export function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
