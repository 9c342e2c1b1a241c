// The script of the documents and of the API reference (server/http/pages): search, tabs, copy buttons, the reader's own
// host and key in examples, and requests to this instance. Without it, the pages have all their text.

import { addCopyButtons } from "./copy-buttons.ts";
import { fillExamples } from "./fill-examples.ts";
import { startKeyBar } from "./key-bar.ts";
import { startSearch } from "./search-field.ts";
import { keepScroll, markPart } from "./side-list.ts";
import { startTabs } from "./tabs.ts";
import { addTryForms } from "./try/add-try-forms.ts";

const site = new URL(document.body.dataset.site ?? "./", location.href);

// The reference was at /docs once, then on one page: its index has a link at each anchor of that page.
if (location.pathname.endsWith("/docs") && location.hash !== "" && !isAnchorHere()) {
  location.replace(new URL(`docs/api${location.hash}`, site));
} else if (location.pathname.endsWith("/docs/api")) {
  followAnchor();
  addEventListener("hashchange", followAnchor);
}

fillExamples(site);
startTabs();
addCopyButtons();
startSearch();
keepScroll();
markPart();
startKeyBar(site);
addTryForms(site);

/** The page has anchors of its own, such as the target of "Skip to the content". */
function isAnchorHere(): boolean {
  return document.getElementById(location.hash.slice(1)) !== null;
}

function followAnchor(): void {
  const link = document.getElementById(location.hash.slice(1));
  if (link instanceof HTMLAnchorElement) location.replace(link.href);
}
