/** Text that is HTML already. `html` makes it, so that nothing gets into a page unescaped. */
export interface Markup {
  readonly markup: string;
}

export type Content = Markup | string | number | undefined | readonly Content[];

/** HTML whose inserted values are escaped; other markup, lists of it and undefined go in as they are. */
export function html(parts: TemplateStringsArray, ...values: Content[]): Markup {
  return {
    markup: parts
      .map((part, index) => (index === 0 ? "" : render(values[index - 1])) + part)
      .join(""),
  };
}

/** HTML that was made of a text of our own, never of a user's. */
export const trusted = (markup: string): Markup => ({ markup });

/** A line of Markdown of which only `code` is known; everything else is text. */
export function prose(text: string): Markup[] {
  return text
    .split("`")
    .map((piece, index) => (index % 2 === 0 ? html`${piece}` : html`<code>${piece}</code>`));
}

function render(value: Content): string {
  if (value === undefined) return "";
  if (typeof value === "string") return escapeText(value);
  if (typeof value === "number") return String(value);
  return "markup" in value ? value.markup : value.map(render).join("");
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

const escapeText = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
