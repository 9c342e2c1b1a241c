import type { Find, Hit } from "./search.ts";

const MAX_HITS = 12;

/** The search field, which loads the search when it is used. */
export function startSearch(): void {
  const form = document.querySelector<HTMLFormElement>("#docs-search");
  const field = document.querySelector<HTMLInputElement>("#docs-query");
  const list = document.querySelector<HTMLElement>("#docs-results");
  const none = document.querySelector<HTMLParagraphElement>("#docs-none");
  if (form === null || field === null || list === null || none === null) return;
  const { index = "", docs = "" } = form.dataset;
  form.hidden = false;
  let loading: Promise<Find> | undefined;
  const load = (): Promise<Find> => {
    loading ??= import("./search.ts").then(({ loadSearch }) => loadSearch(index));
    loading.catch(() => {
      loading = undefined;
    });
    return loading;
  };
  let chosen = -1;

  const links = (): HTMLAnchorElement[] => [...list.querySelectorAll("a")];
  function choose(at: number): void {
    const all = links();
    chosen = all.length === 0 ? -1 : (at + all.length) % all.length;
    for (const [each, link] of all.entries()) {
      link.setAttribute("aria-selected", String(each === chosen));
    }
    const item = all[chosen];
    if (item !== undefined) field?.setAttribute("aria-activedescendant", item.id);
    item?.scrollIntoView({ block: "nearest" });
  }

  function show(hits: readonly Hit[] | undefined): void {
    if (list === null || none === null || field === null) return;
    list.replaceChildren(...(hits ?? []).map((hit, at) => itemOf(hit, at, docs)));
    list.hidden = list.childElementCount === 0;
    none.hidden = hits === undefined || hits.length > 0;
    none.textContent = none.hidden ? "" : "Nothing found.";
    field.setAttribute("aria-expanded", String(!list.hidden));
    field.removeAttribute("aria-activedescendant");
    if (list.hidden) chosen = -1;
    else choose(0);
  }

  async function update(): Promise<void> {
    const text = field?.value.trim() ?? "";
    if (text === "") return show(undefined);
    try {
      const find = await load();
      if (field?.value.trim() === text) show(find(text, MAX_HITS));
    } catch {
      if (none === null) return;
      none.hidden = false;
      none.textContent = "The search could not be loaded. Try again.";
    }
  }

  field.addEventListener("focus", () => void load().catch(() => {}));
  field.addEventListener("input", () => void update());
  field.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      choose(chosen + (event.key === "ArrowDown" ? 1 : -1));
    } else if (event.key === "Escape") {
      field.value = "";
      show(undefined);
    }
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const link = links()[Math.max(0, chosen)];
    if (link === undefined) return;
    link.click();
    show(undefined);
  });
  document.addEventListener("click", ({ target }) => {
    if (target instanceof Node && !(form.contains(target) && !list.contains(target)))
      show(undefined);
  });
  document.addEventListener("keydown", (event) => {
    const isTyping = event.target instanceof HTMLInputElement;
    if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    field.focus();
  });
}

function itemOf({ url, title, heading }: Hit, at: number, docs: string): HTMLAnchorElement {
  const link = document.createElement("a");
  link.id = `docs-result-${at}`;
  link.setAttribute("role", "option");
  link.href = docs + url;
  link.tabIndex = -1;
  const name = document.createElement("b");
  name.textContent = heading;
  link.append(name);
  if (heading !== title) {
    const of = document.createElement("span");
    of.textContent = title;
    link.append(of);
  }
  return link;
}
