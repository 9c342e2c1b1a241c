/**
 * Whether more bytes of a text that was decoded as UTF-8 are invalid than characters beyond ASCII are valid. In other encodings nearly all
 * are invalid; a few invalid ones among many valid ones are damage.
 */
export function hasMoreErrorsThanCharacters(text: string): boolean {
  let errors = 0;
  let characters = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0xfffd) errors += 1;
    else if (code > 0x7f) characters += 1;
  }
  return errors > characters;
}
