export const markdownToHtml = (text: string): string => Bun.markdown.html(text);

/** For text and quoted attributes. */
export const escapeHtml = (text: string): string => Bun.escapeHTML(text);
