import { html } from "./html.ts";
import { page } from "./layout.ts";

/** What is found at the instance's own address. */
export function homePage(): string {
  return page({
    title: "Holdall",
    description: "A file hosting service: files in folders, each with a URL of its own.",
    kind: "small",
    script: "home",
    content: html`<main id="content" tabindex="-1">
<h1>This is Holdall</h1>
<p class="lede">A file hosting service. It keeps files in a tree of folders and gives each of them a URL. Private files open with a key, or with a link that expires.</p>
<p class="state" id="state" role="status" hidden></p>
<p class="notice good" id="setup-needed" hidden>Nobody has set this instance up yet. Open the setup link that the server printed when it started.</p>
<div class="choices"><a class="button" href="docs">Read the API reference</a> <a class="button quiet" href="sign-in">Sign in</a></div>
<h2>For programs</h2>
<figure><figcaption>Upload a file, and open it</figcaption><pre tabindex="0"><code>curl -H "API-Key: hd_…" -F files=@photo.jpg <span data-base>https://files.example.com</span>/api/files
curl <span data-base>https://files.example.com</span>/api/hosting/photo.jpg -o copy.jpg</code></pre></figure>
<p>The whole API as <a href="openapi.json">OpenAPI 3.1</a>.</p>
</main>`,
  });
}
