// The script of the page of a link for sending files (server/http/links/pages/drop-page.ts): sends them
// in parts, and continues after interruptions, also when the page was closed.

import { formatBytes } from "../../../contract/text/format-bytes.ts";
import { formatExactBytes } from "../../../contract/text/format-exact-bytes.ts";
import type { HoldallError } from "../../../sdk/src/holdall.ts";
import { formatCount } from "../text/format-count.ts";
import { elements } from "./elements.ts";
import { noteInterrupted, readInterrupted } from "./interrupted.ts";
import { createPickedFiles } from "./picked-files.ts";

const page = elements();
const { form, input, sender } = page;
const picked = createPickedFiles(page.picked, () => {
  const [count, bytes] = [picked.all().length, totalOf(picked.all())];
  submit.textContent =
    count === 0 ? "Send" : `Send ${formatCount(count, "file")} · ${formatBytes(bytes)}`;
  submit.disabled = count === 0;
  showProblem(problemWith(filesToSend()));
});
const submit =
  form.querySelector<HTMLButtonElement>("button[type=submit]") ?? document.createElement("button");
const loadSend = () => import("./send.ts");
let running: AbortController | undefined;

const totalOf = (files: readonly File[]): number => files.reduce((sum, { size }) => sum + size, 0);

/** Returns the files to send. The message is sent as a file, with the name that the form without script gives it. */
function filesToSend(): readonly File[] {
  const text = page.message?.value.trim() ?? "";
  if (text === "") return picked.all();
  // Without a time, the file is the same one when an upload continues.
  const options = { type: "text/plain", lastModified: 0 };
  return [new File([text], "Message.txt", options), ...picked.all()];
}

function showProblem(text: string | undefined): void {
  page.problem.hidden = text === undefined;
  page.problem.textContent = text ?? "";
}

/** The caps of the link, which the server enforces too. */
function problemWith(files: readonly File[]): string | undefined {
  const maxFiles = Number(form.dataset.maxFiles ?? Number.POSITIVE_INFINITY);
  const maxBytes = Number(form.dataset.maxBytes ?? Number.POSITIVE_INFINITY);
  if (files.length > maxFiles) {
    return `These are ${formatCount(files.length, "file")}, but at most ${maxFiles} can be sent.`;
  }
  const bytes = totalOf(files);
  return bytes > maxBytes
    ? `These files have ${formatBytes(bytes)} together, but at most ${formatExactBytes(maxBytes)} can be sent.`
    : undefined;
}

function show(part: "form" | "sending" | "sent"): void {
  form.hidden = part !== "form";
  page.sending.hidden = part !== "sending";
  page.sent.hidden = part !== "sent";
}

async function sendAll(): Promise<void> {
  const files = filesToSend();
  running = new AbortController();
  const { signal } = running;
  const { length } = picked.all();
  noteInterrupted({ name: sender.value, message: page.message?.value ?? "", files: length });
  showRunning(true);
  showProgress(files, 0, 0);
  show("sending");
  page.pause.focus();
  try {
    const { send } = await loadSend();
    const { files: all } = await send(files, {
      name: sender.value.trim() || undefined,
      resume: localStorage,
      signal,
      onProgress: ({ loaded, files: complete }) => showProgress(files, complete, loaded),
    });
    noteInterrupted(undefined);
    const count = all - (files.length - picked.all().length);
    page.sentText.textContent =
      count === 1 ? "Your file has arrived." : `Your ${formatCount(count, "file")} have arrived.`;
    picked.clear();
    if (page.message !== null) page.message.value = "";
    show("sent");
    page.sent.focus();
  } catch (error) {
    if (signal.aborted) return showRunning(false);
    show("form");
    showProblem(messageOf(error));
  } finally {
    running = undefined;
  }
}

function showProgress(files: readonly File[], complete: number, loaded: number): void {
  const total = totalOf(files);
  page.progress.value = total === 0 ? 0 : loaded / total;
  page.amount.textContent = `${complete} of ${formatCount(files.length, "file")} · ${formatBytes(loaded)} of ${formatBytes(total)}`;
}

function showRunning(isRunning: boolean): void {
  page.sendingTitle.textContent = isRunning ? "Sending…" : "Paused";
  page.pause.textContent = isRunning ? "Pause" : "Continue";
}

function messageOf(error: unknown): string {
  const { status, message } = error as Partial<HoldallError>;
  if (status === 404) return "This link does not work any more. Ask for a new one.";
  if (status === 0) return "The connection was lost. Send again to continue where it ended.";
  return message ?? "The files could not be sent. Try again.";
}

form.classList.add("scripted");
input.required = false;
submit.disabled = true;
page.message?.addEventListener("input", () => showProblem(problemWith(filesToSend())));
input.addEventListener("change", () => {
  void loadSend();
  picked.add(input.files ?? []);
  input.value = "";
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  const problem =
    picked.all().length === 0 ? "Choose at least one file." : problemWith(filesToSend());
  if (problem === undefined) void sendAll();
  else showProblem(problem);
});
page.pause.addEventListener("click", () => {
  if (running === undefined) void sendAll();
  else running.abort();
});
page.again.addEventListener("click", () => {
  show("form");
  input.focus();
});

const zone = form.querySelector(".zone");
for (const type of ["dragenter", "dragover"] as const) {
  document.addEventListener(type, (event) => {
    event.preventDefault();
    zone?.classList.add("over");
  });
}
for (const type of ["dragleave", "drop"] as const) {
  document.addEventListener(type, (event) => {
    event.preventDefault();
    zone?.classList.remove("over");
  });
}
document.addEventListener("drop", (event) => {
  if (!form.hidden) picked.add(event.dataTransfer?.files ?? []);
});
addEventListener("beforeunload", (event) => {
  if (running !== undefined) event.preventDefault();
});

const interrupted = readInterrupted();
if (interrupted !== undefined) {
  sender.value = interrupted.name;
  if (page.message !== null) page.message.value = interrupted.message;
  page.resume.hidden = false;
  page.resume.textContent = `Sending ${formatCount(interrupted.files, "file")} was interrupted. Choose the same files again, and it continues where it ended.`;
}
