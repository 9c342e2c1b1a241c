/** The element of the page with this id. Error: the page, which the server renders, has none of this class. */
export function byId<E extends HTMLElement>(id: string, type: { new (): E }): E {
  const element = document.getElementById(id);
  if (element instanceof type) return element;
  throw new Error(`The page has no element #${id}.`);
}

/** The elements that the script of the drop page changes. */
export const elements = () => ({
  form: byId("drop", HTMLFormElement),
  input: byId("files", HTMLInputElement),
  sender: byId("sender", HTMLInputElement),
  message: document.querySelector<HTMLTextAreaElement>("#message"),
  picked: byId("picked", HTMLUListElement),
  problem: byId("problem", HTMLParagraphElement),
  resume: byId("resume", HTMLParagraphElement),
  sending: byId("sending", HTMLElement),
  sendingTitle: byId("sending-title", HTMLHeadingElement),
  progress: byId("progress", HTMLProgressElement),
  amount: byId("amount", HTMLSpanElement),
  pause: byId("pause", HTMLButtonElement),
  sent: byId("sent", HTMLElement),
  sentText: byId("sent-text", HTMLParagraphElement),
  again: byId("again", HTMLButtonElement),
});
