/** The host in the documents. */
const EXAMPLE_HOST = "https://files.example.com";
const EXAMPLE_KEY = "hd_…";

/** Examples have this instance's URL. */
export function fillExamples(site: URL): void {
  replaceInCode(EXAMPLE_HOST, site.href.replace(/\/$/, ""));
}

/** Examples have this key, instead of a placeholder and of the variable in curl commands. */
export function fillKey(secret: string): void {
  replaceInCode(EXAMPLE_KEY, secret);
  replaceInCode("$HOLDALL_KEY", secret);
}

/** Changes the text of code only, so the replacement is never markup. */
function replaceInCode(text: string, replacement: string): void {
  for (const code of document.querySelectorAll("main pre")) {
    if (!code.textContent.includes(text)) continue;
    const walker = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      node.nodeValue = (node.nodeValue ?? "").replaceAll(text, () => replacement);
    }
  }
}
