import type { TriedOperation } from "./contract.ts";
import { element } from "./element.ts";
import type { Entered } from "./send.ts";

/** Whether a request may change, delete or end something that exists. */
export function changesExisting(operation: TriedOperation, { values, body }: Entered): boolean {
  if (operation.changesExisting) return true;
  if (typeof body === "string" && /"onConflict"\s*:\s*"replace"/.test(body)) return true;
  return [...values].some(([{ name }, [value]]) => name === "onConflict" && value === "replace");
}

/** Asks before a request changes, deletes or ends something. */
export function isConfirmed(form: HTMLElement, { method, url }: Request): Promise<boolean> {
  const { pathname, search } = new URL(url);
  const title = element("h3", {}, "Send it to this instance?");
  title.id = "try-question";
  const dialog = element(
    "dialog",
    { class: "try-dialog", "aria-labelledby": title.id },
    title,
    element("p", {}, "This changes, deletes or ends something here, not in an example."),
    element("p", {}, element("code", {}, `${method} ${pathname}${search}`)),
    element(
      "form",
      { method: "dialog" },
      element("button", { value: "" }, "Cancel"),
      element("button", { value: "send", class: "bad" }, `Send ${method}`),
    ),
  );
  form.after(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "send");
    });
  });
}
