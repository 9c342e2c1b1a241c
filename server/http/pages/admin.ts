import { html } from "./html.ts";
import { page } from "./layout.ts";

/** The page behind the setup link: makes the account, then a first API key. */
export function setupPage(): string {
  return adminPage("Set up Holdall", "Create the administrator's account of this instance.");
}

/** The page where the administrator signs in and keeps API keys. */
export function signInPage(): string {
  return adminPage("Sign in to Holdall", "Sign in to make and revoke API keys.");
}

/* One page under two names: the script shows what is called for, and the rest comes as templates. */
function adminPage(title: string, description: string): string {
  return page({
    title,
    description,
    kind: "small",
    script: "admin",
    content: html`<main id="content" tabindex="-1">
<div id="view"><h1>${title}</h1><p>One moment…</p></div>
<noscript><p class="notice bad">This page needs JavaScript. Without it, keys are made on the server with <code>holdall keys create NAME</code>.</p></noscript>
</main>

<template id="setup"><h1>Create your account</h1>
<p class="lede">You are the administrator of this instance. With this account you make the API keys that programs use.</p>
<form>
<label>Email address <input name="email" type="email" autocomplete="username" required></label>
<label>Password <small>8 to 256 characters</small> <input name="password" type="password" autocomplete="new-password" minlength="8" maxlength="256" required></label>
<p class="notice bad" role="alert" hidden></p>
<button class="button">Create account</button>
</form></template>

<template id="dead-link"><h1>This setup link does not work</h1>
<p class="lede">It may have been cut short, or have ended: each start of the server prints a new one until the account exists.</p>
<p>Look at the server's output for the newest link, or start the server again.</p></template>

<template id="set-up"><h1>The account exists already</h1>
<p class="lede">This instance has been set up. Sign in with its account.</p>
<div data-place="sign-in"></div></template>

<template id="sign-in"><h1>Sign in</h1><div data-place="sign-in"></div></template>

<template id="sign-in-form"><form>
<label>Email address <input name="email" type="email" autocomplete="username" required></label>
<label>Password <input name="password" type="password" autocomplete="current-password" required></label>
<p class="notice bad" role="alert" hidden></p>
<button class="button">Sign in</button>
</form></template>

<template id="waiting"><h1>Not set up yet</h1>
<p class="lede">This instance has no account. Open the setup link that the server printed when it started.</p></template>

<template id="unreachable"><h1>The server does not answer</h1>
<p class="notice bad" role="alert" data-text="message"></p>
<div class="choices"><button class="button" data-do="again">Try again</button></div></template>

<template id="keys"><div class="bar"><h1>API keys</h1><button class="button quiet slight" data-do="sign-out">Sign out</button></div>
<p class="lede">Programs send a key in the header <code>API-Key</code>. Signed in as <span data-text="email"></span>.</p>
<div data-place="made"></div>
<form class="row"><label>New key <small>A name that says who uses it</small> <input name="name" maxlength="100" autocomplete="off" required></label>
<button class="button">Create key</button></form>
<p class="notice bad" role="alert" hidden></p>
<p class="lede" data-place="none" hidden>There are no keys yet.</p>
<ul class="keys" data-place="list"></ul></template>

<template id="key"><li><span class="about"><b data-text="name"></b> <small><code data-text="prefix"></code> <span data-text="used"></span></small></span>
<button class="button quiet slight danger" data-do="revoke">Revoke</button></li></template>

<template id="made"><section aria-labelledby="made-title"><h2 id="made-title" tabindex="-1">Your new key</h2>
<p>Copy it now: it is shown this once.</p>
<p class="secret"><code data-text="secret"></code> <button class="button slight" data-do="copy">Copy</button></p>
<figure><figcaption>Upload a file, and open it</figcaption><pre tabindex="0"><code data-text="lines"></code></pre></figure></section></template>`,
  });
}
