import { html } from "../../pages/html.ts";
import { icon } from "./icons.ts";
import { type PageFrame, shell } from "./shell.ts";

export interface PasswordPage {
  /** The owner's title; null: none, and the content's name is part of the secret. */
  readonly title: string | null;
  /** The target of the form: what the visitor asked for. */
  readonly action: string;
  /** Why the last attempt failed. */
  readonly problem?: string | undefined;
}

export const WRONG_PASSWORD = "That is not the password. Try again.";

/** Asks for the password of a link. */
export const passwordPage = (frame: PageFrame, page: PasswordPage): string => {
  const { action, problem } = page;
  const title = page.title ?? "Shared with you";
  return shell(frame, {
    title,
    description: "Protected with a password.",
    width: "narrow",
    content: html`<form class="notice" method="post" action="${action}">
<span class="medallion">${icon("lock")}</span>
<h1>${title}</h1>
<p>Enter the password that came with the link.</p>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="off" required maxlength="1000" autofocus${
      problem === undefined ? undefined : html` aria-invalid="true" aria-describedby="problem"`
    }>
${problem === undefined ? undefined : html`<p class="problem" id="problem" role="alert">${problem}</p>`}
<button class="button" type="submit">Open</button>
</form>`,
  });
};
