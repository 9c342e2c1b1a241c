/** A copy of a template of the page. The texts go where `data-text` names them. */
export function copyOf(
  template: string,
  texts: Readonly<Record<string, string>> = {},
): DocumentFragment {
  const source = document.getElementById(template);
  if (!(source instanceof HTMLTemplateElement))
    throw new Error(`There is no template "${template}".`);
  const copy = document.importNode(source.content, true);
  for (const [name, text] of Object.entries(texts)) {
    for (const element of copy.querySelectorAll(`[data-text="${name}"]`))
      element.textContent = text;
  }
  return copy;
}

/** Shows a template alone, and says where the page now is to those who listen to it. */
export function show(template: string, texts?: Readonly<Record<string, string>>): HTMLElement {
  const view = one(document, "#view");
  view.replaceChildren(copyOf(template, texts));
  document.title = `${view.querySelector("h1")?.textContent} · Holdall`;
  view.querySelector("input")?.focus();
  return view;
}

export function one(within: ParentNode, selector: string): HTMLElement {
  const found = within.querySelector(selector);
  if (!(found instanceof HTMLElement)) throw new Error(`There is no ${selector} on the page.`);
  return found;
}

/** Runs `action` with the form's values when it is sent. One at a time; a failure is said below. */
export function onSend(
  within: ParentNode,
  action: (values: Readonly<Record<string, string>>) => Promise<void>,
): void {
  const form = one(within, "form");
  const notice = one(within, "[role=alert]");
  if (!(form instanceof HTMLFormElement)) return;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const values = Object.fromEntries(
      [...new FormData(form)].map(([name, value]) => [name, String(value)]),
    );
    void attempt(one(form, "button"), notice, () => action(values));
  });
}

/** Runs `action` when the button that does `name` is pressed. */
export function onPress(within: ParentNode, name: string, action: () => Promise<void>): void {
  const button = one(within, `[data-do="${name}"]`);
  const notice = within.querySelector("[role=alert]");
  button.addEventListener("click", () => void attempt(button, notice, action));
}

/** The button keeps the focus, which it would lose if it were disabled. */
async function attempt(
  button: HTMLElement,
  notice: Element | null,
  action: () => Promise<void>,
): Promise<void> {
  if (button.ariaDisabled === "true") return;
  button.ariaDisabled = "true";
  notice?.setAttribute("hidden", "");
  try {
    await action();
  } catch (error) {
    if (notice === null) throw error;
    notice.textContent = error instanceof Error ? error.message : String(error);
    notice.removeAttribute("hidden");
  } finally {
    button.ariaDisabled = null;
  }
}
