import { isSignedIn } from "../session.ts";

/** Signed-in readers can send each operation of the reference to this instance. The forms load when they are opened. */
export function addTryForms(site: URL): void {
  if (!isSignedIn()) return;
  for (const section of document.querySelectorAll<HTMLElement>("section.operation")) {
    const place = document.createElement("details");
    place.className = "try";
    const summary = document.createElement("summary");
    summary.textContent = "Try it";
    place.append(summary);
    section.querySelector(".samples.tabs")?.after(place);
    place.addEventListener("toggle", () => void fill(place, section, site), { once: true });
  }
}

async function fill(place: HTMLElement, section: HTMLElement, site: URL): Promise<void> {
  const note = document.createElement("p");
  note.setAttribute("role", "status");
  note.textContent = "Loading…";
  place.append(note);
  try {
    const { createTryForm } = await import("./try-form.ts");
    const body = exampleBody(section);
    note.replaceWith(await createTryForm({ id: section.id, site, body }));
  } catch {
    note.textContent = "The form could not be loaded. Reload the page to try again.";
  }
}

/** The JSON of the curl command in the page; undefined: the operation takes none. */
function exampleBody(section: HTMLElement): string | undefined {
  const command = section.querySelector('[data-language="curl"] code')?.textContent ?? "";
  const [, body] = / -d '([^']*)'/.exec(command) ?? [];
  return body?.replaceAll("\n  ", "\n");
}
