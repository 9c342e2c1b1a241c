import type { Seed } from "./seed.ts";

/** Adds links, a trash and versions to the content of `seedDemo`. */
export async function seedSharing({ holdall, file }: Seed): Promise<void> {
  const folder = async (key: string) =>
    (await holdall.folders.browse({ key }, { limit: 0 })).folder.id;
  const brand = { folderId: await folder("brand") };
  const report = await holdall.files.getByKey("annual-report-2025.pdf");
  await holdall.links.create({
    ...brand,
    title: "Brand assets for the press",
    password: "gull & tide",
    uses: 25,
    expiresIn: 20 * 86_400,
  });
  await holdall.links.create({
    folderId: await folder("inbox"),
    kind: "drop",
    maxFiles: 20,
    maxBytes: 2 * 1024 ** 3,
    title: "Your photos of the regatta",
  });
  await holdall.links.create({ fileId: report.id, downloadOnly: true });
  const title = "A title that is much longer than what fits into one line of the list ".repeat(2);
  await holdall.links.create({ ...brand, title: title.trim() });
  const revoked = await holdall.links.create({ ...brand, title: "For the printer" });
  await holdall.links.revoke(revoked.id);

  await file("press kit/2025/old-logo.svg", "<svg xmlns='http://www.w3.org/2000/svg'/>");
  await file("press kit/2025/spring.pdf", new Uint8Array(420_000));
  await file("brand/photos/blurred.jpg", new Uint8Array(2_300_000), "private");
  await file(`${"draft of the minutes of the meeting ".repeat(6)}v2.txt`.slice(-250));
  const blurred = await holdall.files.getByKey("brand/photos/blurred.jpg");
  await holdall.links.create({ fileId: blurred.id, title: "Blurred" });
  await holdall.files.delete(blurred.id, { trash: true });
  await holdall.folders.delete(await folder("press kit"), { trash: true });
  for await (const { id, name } of holdall.files.each()) {
    if (name.endsWith("v2.txt")) await holdall.files.delete(id, { trash: true });
  }

  await holdall.settings.change({ keepVersions: true });
  const readme = await holdall.files.getByKey("README.md");
  const content = await (await holdall.files.download(readme.id)).response.text();
  for (const text of ["# Harbour festival\n\nFirst notes.\n", content]) {
    await holdall.files.upload(new Blob([text]), { name: "README.md", onConflict: "replace" });
  }
  await holdall.settings.change({ keepVersions: null });
}
