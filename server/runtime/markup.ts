/** Throws an error on a document that is not well-formed. */
export const parseXml = (text: string): unknown => Bun.XML.parse(text);

export const markdownToHtml = (text: string): string => Bun.markdown.html(text);

/** For text and quoted attributes. */
export const escapeHtml = (text: string): string => Bun.escapeHTML(text);
