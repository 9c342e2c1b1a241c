import { EMAIL, PASSWORD } from "./browser-fixture.ts";
import { press, sequence } from "./steps.ts";
import { FILES, UPLOADS } from "./wording-files-states.ts";
import { disconnect, refuse, type WordingState } from "./wording-state.ts";

/** Of a server without an account. */
export const BEFORE_SETUP: readonly WordingState[] = [
  {
    name: "the sign-in page of a server without an account",
    path: "/sign-in",
    texts: [
      "No account yet. Open the setup link printed in the server's terminal (it contains /setup#).",
    ],
  },
  {
    name: "a setup link that is not whole",
    path: "/setup",
    texts: ["It may be incomplete or expired. The server prints a new one each time it starts."],
  },
  {
    name: "the setup",
    path: "/setup#token",
    texts: ["This is the administrator account. Use it to manage files and API keys."],
  },
];

const SETTINGS: readonly WordingState[] = [
  {
    name: "the account, with the open menu",
    path: "/settings",
    prepare: press(/^Account/),
    texts: ["You sign in with this address.", /Account created .*\./, "System theme"],
  },
  {
    name: "the sessions",
    path: "/settings/security",
    texts: [
      "Changing your password signs you out everywhere else.",
      "Devices signed in to this account.",
      "This device",
      "Sign out…",
    ],
  },
  {
    name: "the end of all other sessions",
    path: "/settings/security",
    prepare: press("Sign out all other sessions…"),
    texts: [
      "All other devices will have to sign in again.",
      "If you don't recognise it, change your password too.",
    ],
  },
  {
    name: "the settings of uploads",
    path: "/settings/uploads",
    texts: [
      "Whether new files are public, and how much can be uploaded or deleted at once.",
      "Applies to uploads that don't specify it, into folders without a default of their own. Existing files don't change.",
      "Public – anyone with the URL",
      "Private – needs a key or a signed link",
    ],
  },
  {
    name: "the settings of links, once saved",
    path: "/settings/links",
    prepare: async (page) => {
      const caching = page.getByRole("region", { name: "Caching", exact: true });
      await caching.getByLabel("Cache duration", { exact: true }).fill("7");
      await caching.getByRole("button", { name: "Save" }).click();
    },
    texts: [
      "Default link lifetime",
      "Used when none is given.",
      "Existing links are not affected.",
      "Cache duration",
      "0 means always revalidate.",
      "Saved.",
    ],
  },
  {
    name: "the settings of activity",
    path: "/settings/activity",
    texts: ["How long activity is kept."],
  },
];

const ACTIVITY: readonly WordingState[] = [
  {
    name: "the activity",
    path: "/activity",
    texts: [
      "Everything that happened, including what was refused. Kept for 90 days. Change",
      ...["Anyone", "Any result", "Any time", "Custom range…"],
      ...["Password resets", "File changes", "Setup", "Signed-out sessions"],
      "You moved a.txt from Inbox to Photos",
    ],
  },
  {
    name: "filters without a match",
    path: "/activity?action=emptyTrash&time=hour",
    texts: ["No activity matches these filters."],
  },
  {
    name: "the activity of a key that is gone",
    path: "/activity?actor=gone",
    texts: ["Deleted key"],
  },
];

const OTHERS: readonly WordingState[] = [
  {
    name: "a page that does not exist",
    path: "/nothing",
    texts: ["Page not found", "Check the address, or go to your files.", "Go to Files"],
  },
  {
    name: "a page that cannot be loaded",
    path: "/files",
    prepare: sequence(disconnect("**"), (page) =>
      page.getByRole("link", { name: "Health", exact: true }).click(),
    ),
    texts: ["Reload", "Your files are safe."],
  },
  {
    name: "a new API key that never expires",
    path: "/keys",
    prepare: sequence(press("Create API key"), (page) =>
      page.getByLabel("Expires").selectOption("Never"),
    ),
    texts: [
      "Apps authenticate with the API-Key header. Give each app a key of its own, with only the access that it needs.",
      "Expires",
      "Works until you revoke it.",
    ],
  },
  {
    name: "an API key that was created",
    path: "/keys",
    prepare: async (page) => {
      await press("Create API key")(page);
      await page.getByLabel("Name", { exact: true }).fill("website");
      await page.getByRole("dialog").getByRole("button", { name: "Create API key" }).click();
    },
    texts: ["I've saved it", "Create API key"],
  },
  {
    name: "the overview without traffic",
    path: "/overview",
    texts: ["Reserved", "By type", "Recent", "Requests for files, counted per hour."],
  },
];

/**
 * Deletions with a trash are in `trash.test.ts`. No page says any more that search ignores case. Requests
 * without a session or a key, by "An unknown client", are in `sentence.test.ts`.
 *
 * In Inbox are report-1.txt and report-2.txt, and in Photos a.txt, which was in Inbox, dot.svg and notes.md. */
export const SIGNED_IN: readonly WordingState[] = [
  ...SETTINGS,
  ...ACTIVITY,
  ...FILES,
  ...UPLOADS,
  ...OTHERS,
];

export const WITH_TRAFFIC: readonly WordingState[] = [
  {
    name: "the overview of a month",
    path: "/overview?period=month",
    texts: ["Bandwidth", "Days in UTC.", "Errors (4xx, 5xx): 0"],
  },
];

export const SIGNED_OUT: readonly WordingState[] = [
  {
    name: "the sign-in page",
    path: "/sign-in",
    texts: [
      "Forgot your password? Run npm run holdall -- admin reset-password on the server.",
      "Show password",
    ],
  },
  {
    name: "a sign-in after many others",
    path: "/sign-in",
    before: refuse("**/auth/sign-in", 429, { "Retry-After": "30" }),
    prepare: async (page) => {
      await page.getByLabel("Email address").fill(EMAIL);
      await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
      await press("Sign in")(page);
    },
    texts: ["Too many attempts. Try again in 30 seconds."],
  },
];
