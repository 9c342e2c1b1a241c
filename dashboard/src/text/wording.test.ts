import { expect, test } from "bun:test";
import { join } from "node:path";

/*
 * Phrases that the dashboard once had, and that read as translated. Each has better words now, which
 * the tests in a browser read. Short ones are in quotes, or between tags, since they may be parts of others.
 */
const OLD_PHRASES = [
  "Like the system",
  "The account exists since",
  "With this address you sign in",
  "A new password ends every other session",
  "Where this account is signed in",
  '"This one"',
  ">This one<",
  "End…",
  "Ended sessions",
  "the password is asked for again",
  "If you do not know where it comes from",
  "What may come in",
  "Of files that are uploaded without saying it",
  "Files that are there stay as they are",
  "whoever has the URL",
  "only with a key or a link",
  "Usual lifetime of a link",
  "Of links that are made without saying it",
  "Links that were made before keep theirs",
  "Cache age",
  "they always ask",
  "For how long it is known who did what",
  "Who did what, and when",
  "what was refused as well",
  "Done and failed",
  "All times",
  "Days of your choice",
  "Resets of the password",
  "Changes of files",
  "The set-up",
  "its own URL works for everyone",
  "can be made all the same",
  "cannot be called back",
  '"Works for"',
  "Delete for good",
  "this URL opens nothing",
  "As the folder above",
  "been withdrawn",
  "backup is known yet",
  "Opening one needs",
  "Its time is over",
  "that lead there stop working",
  "Folders are deleted with everything in them",
  "Choose the folder.",
  "links made for the old ones",
  "That is where it is already",
  "within what is to be moved",
  "several are made at once",
  "Capital letters do not matter",
  "files and more",
  "files in all",
  "turn around",
  "names are taken",
  "This name is there already",
  "and what follows",
  "The server cannot be reached",
  "It goes on by itself",
  "Trying again by itself",
  "what is shown may be old",
  "The server takes so many requests",
  "Sign in, and it goes on",
  "There is nothing at this address",
  "go where everything begins",
  "To the files",
  "Load it again",
  "Nothing that is stored has been harmed",
  "Programs send a key",
  "A key opens everything",
  ">Ends<",
  '"Ends"',
  "It works until it is revoked",
  "I have kept it",
  "Make an API key",
  '"Create key"',
  ">Create key<",
  "Kept free",
  "By kind",
  '"Newest"',
  '"Served"',
  "Requests at the URLs of files",
  "Days are those of UTC",
  "Refused or failed (status",
  "Nothing that these filters name",
  "Somebody unknown",
  "Somebody who is gone",
  "Everybody",
  "This instance has no account",
  "that the server printed when it started",
  "It may have been cut short",
  "You are the administrator of this instance",
  "Password forgotten?",
  "Too many tries",
  "Picture from elsewhere",
  "Show what is typed",
  '"Smaller"',
  '"Larger"',
  "It holds from now on",
];

const ROOT = join(import.meta.dir, "../../..");

/** The sources of the dashboard with its texts, each on one line, without comments. */
async function readSources(): Promise<Map<string, string>> {
  const sources = new Map<string, string>();
  const paths = [...new Bun.Glob("dashboard/src/**/*.{ts,tsx}").scanSync(ROOT)];
  for (const path of [...paths, "contract/activity.ts"]) {
    if (path.includes(".test.")) continue;
    const code = await Bun.file(join(ROOT, path)).text();
    const text = code.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
    sources.set(path, onOneLine(text));
  }
  return sources;
}

/** Removes line breaks, and the white space between tags and their text, which browsers do not show. */
const onOneLine = (code: string): string =>
  code.replace(/\s+/g, " ").replaceAll("> ", ">").replaceAll(" <", "<");

test.each(["<th>Ends</th>", "<th>\n  Ends\n</th>", "<Button>\n  <X />\n  Ends\n</Button>"])(
  "finds a phrase between tags in %j",
  (code) => {
    expect(onOneLine(code)).toContain(">Ends<");
  },
);

test("no source of the dashboard has a phrase that was replaced", async () => {
  const sources = await readSources();
  expect(sources.size).toBeGreaterThan(300);
  const found = [...sources].flatMap(([path, text]) =>
    OLD_PHRASES.filter((phrase) => text.includes(phrase)).map((phrase) => `${path}: ${phrase}`),
  );
  expect(found).toEqual([]);
});
