/** An element with these attributes and children. Attributes that are false or undefined are left out. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string | boolean | undefined>> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false)
      made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children);
  return made;
}

/** A block of text that can be scrolled by keyboard. */
export const block = (label: string, text: string): HTMLElement =>
  element("pre", { tabindex: "0", role: "region", "aria-label": label }, element("code", {}, text));
