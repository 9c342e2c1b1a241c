import { Holdall } from "../sdk/src/holdall.ts";
import { type BrowserFixture, EMAIL, PASSWORD } from "./browser-fixture.ts";
import { waitForActivity } from "./wait-for-activity.ts";

const ignoreRefusal = (work: Promise<unknown>): Promise<unknown> => work.catch(() => undefined);
const blob = (content = "Hello") => new Blob([content]);

/** Creates keys, activity, refused requests and traffic, like a day of real use. */
export async function seedActivity({
  seed: { holdall },
  server: { url },
}: BrowserFixture): Promise<void> {
  await holdall.keys.create("backup", { expiresIn: 5 * 86_400 });
  await holdall.keys.create("campaign in spring", { expiresIn: 40 * 86_400 });
  await holdall.keys.create("for one minute", { expiresIn: 1 });
  await holdall.keys.create("a very long name for a single API key ".repeat(3).slice(0, 99));
  await seedScopedKeys({ holdall, url });
  const website = new Holdall({ url, apiKey: (await holdall.keys.create("website")).secret });
  const ci = new Holdall({ url, apiKey: (await holdall.keys.create("ci-deploy")).secret });

  const pages = ["index", "about", "prices", "jobs"].map((name) => ({
    content: blob("x".repeat(40_000)),
    name: `${name}.html`,
  }));
  await ci.files.uploadMany(pages, { folder: "site" });
  const report = await ci.files.upload(blob(), { name: "draft.pdf", folder: "site" });
  await ci.files.rename(report.id, "report.pdf");
  await ignoreRefusal(ci.files.rename(report.id, "index.html"));
  await ci.files.sign(report.id, { expiresIn: 3_600 });
  await ci.files.setVisibility(report.id, "private");
  await ignoreRefusal(ci.files.upload(blob(), { name: "report.pdf", folder: "site" }));
  await website.folders.create("site/assets");
  const old = await website.folders.create("old");
  const drafts = ["draft-1.txt", "draft-2.txt", "draft-3.txt", "draft-4.txt"].map((name) => ({
    content: blob(),
    name,
  }));
  const uploaded = await website.files.uploadMany(drafts, { folder: "site/drafts" });
  for (const ids of [uploaded.slice(0, 2), uploaded.slice(2, 3), uploaded.slice(3)]) {
    await website.files.updateMany(
      ids.map(({ id }) => id),
      { folderId: old.id },
    );
  }
  await website.folders.delete(old.id);
  const [first] = await website.files.named("jobs.html");
  if (first !== undefined) await website.files.delete(first.id);
  await ignoreRefusal(website.files.delete("nothing"));
  await holdall.settings.change({ hostingCacheSeconds: 3_600 });
  await holdall.account.signIn({ email: EMAIL, password: PASSWORD });
  for (let attempt = 0; attempt < 3; attempt += 1) {
    await ignoreRefusal(
      holdall.account.signIn({ email: "eve@example.com", password: `guess ${attempt}` }),
    );
  }

  for (const path of ["cover.svg", "team.svg", "onboarding.mp4", "nowhere.png", "cover.svg"]) {
    await fetch(`${url}/api/hosting/${path}`).then((response) => response.arrayBuffer());
  }
  // The refused sign-ins come last.
  await waitForActivity(
    holdall,
    ({ action, outcome }) => action === "signIn" && outcome === "failed",
  );
}

/** Keys with limits: for a folder, for a folder that is gone, and one that a key has created. */
async function seedScopedKeys({ holdall, url }: { holdall: Holdall; url: string }): Promise<void> {
  await holdall.folders.create("site");
  const gone = await holdall.folders.create("campaign 2025");
  await holdall.keys.create("gallery", { actions: ["list", "read"], folder: "site" });
  await holdall.keys.create("old campaign", { actions: ["write"], folder: gone });
  await holdall.folders.delete(gone.id);
  const actions = ["list", "read", "keys"] as const;
  const { secret } = await holdall.keys.create("portal", { actions, folder: "site" });
  const portal = new Holdall({ url, apiKey: secret });
  await portal.keys.create("portal of ada", { actions: ["read"] });
}
