export interface DecodedText {
  readonly text: string;
  /** Such as "UTF-8" or "Windows-1252"; the chosen label. */
  readonly encoding: string;
}

/**
 * Decodes the beginning of a text, given in chunks. A byte order mark decides; without one it is
 * UTF-8, or Windows-1252, which includes Latin-1, if that makes more sense. A character cut off at the
 * end is left out. `chosen`: a label of the Encoding standard, which decides instead.
 */
export function decodeText(chunks: readonly Uint8Array[], chosen?: string): DecodedText {
  if (chosen !== undefined) return { text: decode(chunks, chosen), encoding: chosen };
  const [first = new Uint8Array()] = chunks;
  if (first[0] === 0xff && first[1] === 0xfe) {
    return { text: decode(chunks, "utf-16le"), encoding: "UTF-16" };
  }
  if (first[0] === 0xfe && first[1] === 0xff) {
    return { text: decode(chunks, "utf-16be"), encoding: "UTF-16" };
  }
  const text = decode(chunks, "utf-8");
  const hasMark = first[0] === 0xef && first[1] === 0xbb && first[2] === 0xbf;
  if (hasMark || !hasMoreErrorsThanCharacters(text)) return { text, encoding: "UTF-8" };
  return { text: decode(chunks, "windows-1252"), encoding: "Windows-1252" };
}

function decode(chunks: readonly Uint8Array[], encoding: string): string {
  const decoder = new TextDecoder(encoding);
  return chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join("");
}

/**
 * Whether more bytes are invalid than characters beyond ASCII are valid. In other encodings nearly all
 * are invalid; a few invalid ones among many valid ones are damage.
 */
function hasMoreErrorsThanCharacters(text: string): boolean {
  let errors = 0;
  let characters = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0xfffd) errors += 1;
    else if (code > 0x7f) characters += 1;
  }
  return errors > characters;
}
