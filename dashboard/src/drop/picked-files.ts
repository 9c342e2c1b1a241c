import { formatBytes } from "../../../contract/text/format-bytes.ts";

/** The files that the visitor has chosen, in several steps perhaps. */
export interface PickedFiles {
  add(files: Iterable<File>): void;
  clear(): void;
  all(): readonly File[];
}

const identityOf = ({ name, size, lastModified }: File): string =>
  JSON.stringify([name, size, lastModified]);

/** Shows the files in `list`, each with a button that removes it. */
export function createPickedFiles(list: HTMLUListElement, onChange: () => void): PickedFiles {
  const files = new Map<string, File>();

  function show(): void {
    list.hidden = files.size === 0;
    list.replaceChildren(...[...files].map(([identity, file]) => row(identity, file)));
    onChange();
  }

  function row(identity: string, { name, size }: File): HTMLLIElement {
    const remove = document.createElement("button");
    remove.type = "button";
    remove.className = "get";
    remove.textContent = "×";
    remove.setAttribute("aria-label", `Remove ${name}`);
    remove.addEventListener("click", () => {
      files.delete(identity);
      show();
    });
    const item = document.createElement("li");
    item.append(span("name", name), span("size", formatBytes(size)), remove);
    return item;
  }

  return {
    add(added) {
      for (const file of added) files.set(identityOf(file), file);
      show();
    },
    clear() {
      files.clear();
      show();
    },
    all: () => [...files.values()],
  };
}

function span(className: string, text: string): HTMLSpanElement {
  const element = document.createElement("span");
  element.className = className;
  element.textContent = text;
  return element;
}
