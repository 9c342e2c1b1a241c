import { Holdall } from "../sdk/src/holdall.ts";
import { type Bed, EMAIL, PASSWORD } from "./bed.ts";

const refused = (work: Promise<unknown>): Promise<unknown> => work.catch(() => undefined);
const text = (content = "Hello") => new Blob([content]);

/** Creates keys, activity, refused requests and traffic, like a day of real use. */
export async function seedDeeds({ seed: { holdall }, server: { url } }: Bed): Promise<void> {
  await holdall.keys.create("backup", { expiresIn: 5 * 86_400 });
  await holdall.keys.create("campaign in spring", { expiresIn: 40 * 86_400 });
  await holdall.keys.create("for one minute", { expiresIn: 1 });
  await holdall.keys.create("a very long name for a single API key ".repeat(3).slice(0, 99));
  const website = new Holdall({ url, apiKey: (await holdall.keys.create("website")).secret });
  const ci = new Holdall({ url, apiKey: (await holdall.keys.create("ci-deploy")).secret });

  const pages = ["index", "about", "prices", "jobs"].map((name) => ({
    content: text("x".repeat(40_000)),
    name: `${name}.html`,
  }));
  await ci.files.uploadMany(pages, { folder: "site" });
  const report = await ci.files.upload(text(), { name: "draft.pdf", folder: "site" });
  await ci.files.rename(report.id, "report.pdf");
  await refused(ci.files.rename(report.id, "index.html"));
  await ci.files.sign(report.id, { expiresIn: 3_600 });
  await ci.files.setVisibility(report.id, "private");
  await refused(ci.files.upload(text(), { name: "report.pdf", folder: "site" }));
  await website.folders.create("site/assets");
  const old = await website.folders.create("old");
  await website.folders.delete(old.id);
  const [first] = await website.files.named("jobs.html");
  if (first !== undefined) await website.files.delete(first.id);
  await refused(website.files.delete("nothing"));
  await holdall.settings.change({ hostingCacheSeconds: 3_600 });
  await holdall.account.signIn({ email: EMAIL, password: PASSWORD });
  for (let tries = 0; tries < 3; tries += 1) {
    await refused(holdall.account.signIn({ email: "eve@example.com", password: `guess ${tries}` }));
  }

  for (const path of ["cover.svg", "team.svg", "onboarding.mp4", "nowhere.png", "cover.svg"]) {
    await fetch(`${url}/api/hosting/${path}`).then((answer) => answer.arrayBuffer());
  }
  // Activity is written asynchronously; the refused sign-ins come last.
  for (let round = 0; round < 100; round += 1) {
    const { activity } = await holdall.activity.list({ limit: 5 });
    if (activity.some(({ action, outcome }) => action === "signIn" && outcome === "failed")) return;
    await Bun.sleep(100);
  }
}
