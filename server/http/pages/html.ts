/** HTML source. Only `html` and `trusted` make it, so text cannot get into a page unescaped. */
export interface Markup {
  readonly markup: string;
}

export type Content = Markup | string | number | undefined | readonly Content[];

/** A template for HTML. Escapes inserted text; inserts markup and lists of it as they are; skips undefined. */
export function html(parts: TemplateStringsArray, ...values: Content[]): Markup {
  return {
    markup: parts
      .map((part, index) => (index === 0 ? "" : render(values[index - 1])) + part)
      .join(""),
  };
}

/** Marks HTML that was made from our own text. Never use it for users' text. */
export const trusted = (markup: string): Markup => ({ markup });

/** A line of Markdown that supports only `code`. */
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
