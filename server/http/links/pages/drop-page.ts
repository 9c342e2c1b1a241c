import { formatExactBytes } from "../../../../contract/text/format-exact-bytes.ts";
import { html, type Markup } from "../../pages/html.ts";
import { formatCount } from "./format-count.ts";
import { icon } from "./icons.ts";
import { expiryNote, type PageFrame, shell } from "./shell.ts";

export interface DropPage {
  /** The owner's title; null: none. */
  readonly title: string | null;
  readonly maxFiles: number | null;
  readonly maxBytes: number | null;
  /** The limit of one file; the link has other limits for all together. */
  readonly maxFileBytes: number;
  /** In one form, for visitors without the script. */
  readonly maxFormFiles: number;
  /** The URL of the script that continues after interruptions; undefined: the form is sent at once. */
  readonly script?: string | undefined;
  /** Why the last attempt failed. */
  readonly problem?: string | undefined;
}

/** A form for files. It works without a script; with it, uploads survive interruptions. */
export function dropPage(frame: PageFrame, page: DropPage): string {
  const { problem, script } = page;
  const title = page.title ?? "Send files";
  const limits = describeLimits(page);
  // A message is one of the files.
  const takesMessage = page.maxFiles !== 1;
  return shell(frame, {
    title,
    description: "Send files here. Only the recipient can see them.",
    styles: "link-drop",
    width: "form",
    scripts: script === undefined ? undefined : [script],
    content: html`<header class="lead"><div>
<h1>${title}</h1>
<p class="meta"><span>Send files here. Only the recipient sees them.</span>${expiryNote(frame)}</p>
</div></header>
<form class="drop" id="drop" method="post" action="${frame.paths.root()}" enctype="multipart/form-data"${
      page.maxFiles === null ? undefined : html` data-max-files="${page.maxFiles}"`
    }${page.maxBytes === null ? undefined : html` data-max-bytes="${page.maxBytes}"`}>
<p class="problem" id="problem" role="alert"${problem === undefined ? html` hidden` : undefined}>${problem}</p>
<p class="resume" id="resume" role="status" hidden></p>
<label for="sender">Your name <span class="optional">(optional)</span></label>
<input id="sender" name="name" type="text" autocomplete="name" maxlength="100">
${takesMessage ? messageField : undefined}
<label for="files" class="zone">
${icon("upload")}
<span><b>Choose files</b> <span class="drag">or drag them here</span></span>
<span class="limits">${limits}</span>${
      page.maxFiles === null
        ? html`<noscript><span class="limits">Without JavaScript: up to ${formatCount(page.maxFormFiles, "file")} at a time</span></noscript>`
        : undefined
    }
</label>
<input id="files" name="files" type="file" multiple required>
<ul class="list picked" id="picked" aria-label="Chosen files" hidden></ul>
<button class="button" type="submit">${icon("upload")}Send</button>
</form>
<section class="sending" id="sending" aria-labelledby="sending-title" hidden>
<h2 id="sending-title">Sending…</h2>
<progress id="progress" max="1" value="0" aria-labelledby="sending-title"></progress>
<p class="meta"><span id="amount" aria-live="off"></span></p>
<button class="button quiet" type="button" id="pause">Pause</button>
</section>
<section class="notice inline sent" id="sent" tabindex="-1" hidden>${sentNotice(0)}</section>`,
  });
}

/** What visitors see when their files have arrived. */
export const sentPage = (frame: PageFrame, title: string | null, files: number): string =>
  shell(frame, {
    title: "Files sent",
    description: "The files have arrived.",
    width: "narrow",
    content: html`<div class="notice">
<span class="medallion good">${icon("check")}</span>
<h1>Thank you</h1>
<p>${sentText(files)}${title === null ? undefined : html` <span class="for">${title}</span>`}</p>
<a class="button quiet" href="${frame.paths.root()}">Send more files</a>
</div>`,
  });

const sentNotice = (files: number): Markup =>
  html`<span class="medallion good">${icon("check")}</span>
<h2>Thank you</h2>
<p id="sent-text">${sentText(files)}</p>
<button class="button quiet" type="button" id="again">Send more files</button>`;

const sentText = (files: number): string =>
  files === 1 ? "Your file has arrived." : `Your ${formatCount(files, "file")} have arrived.`;

const messageField = html`<label for="message">Message <span class="optional">(optional)</span></label>
<textarea id="message" name="message" rows="3" maxlength="5000" dir="auto" aria-describedby="message-hint"></textarea>
<p class="hint" id="message-hint">It arrives with the files, as Message.txt.</p>`;

function describeLimits({ maxFiles, maxBytes, maxFileBytes }: DropPage): string {
  const together = maxBytes !== null && maxBytes < maxFileBytes;
  const limits = [
    "Files of any type",
    ...(maxFiles === null
      ? []
      : [`up to ${formatCount(maxFiles, "file")}${maxFiles === 1 ? "" : ", with the message"}`]),
    ...(together ? [] : [`up to ${formatExactBytes(maxFileBytes)} each`]),
    ...(maxBytes === null ? [] : [`up to ${formatExactBytes(maxBytes)} together`]),
  ];
  return limits.join(" · ");
}
