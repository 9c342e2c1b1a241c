const KEY = "holdall-docs-language";

/** Blocks of code that say the same in several languages become tabs. All of a page show the chosen language. */
export function startTabs(): void {
  const groups = [...document.querySelectorAll<HTMLElement>(".tabs")].map(createTabs);
  const choose = (language: string): void => {
    for (const show of groups) show(language);
  };
  document.addEventListener("click", ({ target }) => {
    const tab = target instanceof Element ? target.closest<HTMLElement>("[role=tab]") : null;
    const language = tab?.dataset.language;
    if (tab === null || language === undefined) return;
    // The tabs above may change their height: the clicked one stays where it is.
    const before = tab.getBoundingClientRect().top;
    choose(language);
    scrollBy({ top: tab.getBoundingClientRect().top - before, behavior: "instant" });
    tab.focus({ preventScroll: true });
    try {
      localStorage.setItem(KEY, language);
    } catch {
      // The choice lasts for this page.
    }
  });
  try {
    const chosen = localStorage.getItem(KEY);
    if (chosen !== null) choose(chosen);
  } catch {
    // The first language is shown.
  }
}

let count = 0;

/** Returns how to show a language, if this group has it. */
function createTabs(group: HTMLElement): (language: string) => void {
  const panels = [...group.querySelectorAll<HTMLElement>(":scope > figure")];
  const list = document.createElement("div");
  list.setAttribute("role", "tablist");
  list.setAttribute("aria-label", "Language");
  const tabs = panels.map((panel) => {
    count += 1;
    const tab = document.createElement("button");
    tab.type = "button";
    tab.id = `tab-${count}`;
    panel.id ||= `panel-${count}`;
    tab.setAttribute("role", "tab");
    tab.setAttribute("aria-controls", panel.id);
    tab.dataset.language = panel.dataset.language ?? "";
    tab.textContent = panel.dataset.language ?? "";
    panel.setAttribute("role", "tabpanel");
    panel.setAttribute("aria-labelledby", tab.id);
    panel.querySelector("figcaption")?.remove();
    return tab;
  });
  list.append(...tabs);
  list.addEventListener("keydown", (event) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    const at = tabs.indexOf(event.target as HTMLButtonElement);
    if (step === 0 || at < 0) return;
    event.preventDefault();
    tabs.at((at + step) % tabs.length)?.click();
  });
  group.prepend(list);
  group.classList.add("started");
  const show = (language: string): void => {
    if (!tabs.some((tab) => tab.dataset.language === language)) return;
    for (const [at, tab] of tabs.entries()) {
      const isShown = tab.dataset.language === language;
      tab.setAttribute("aria-selected", String(isShown));
      tab.tabIndex = isShown ? 0 : -1;
      const panel = panels[at];
      if (panel !== undefined) panel.hidden = !isShown;
    }
  };
  show(tabs[0]?.dataset.language ?? "");
  return show;
}
