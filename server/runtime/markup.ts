/** Escapes text and quoted attributes. */
export const escapeHtml = (text: string): string => Bun.escapeHTML(text);
