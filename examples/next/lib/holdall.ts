import { type FileObject, Holdall, HoldallError } from "@holdall/sdk";

/** Only the server of the app has the key. */
export const holdall = new Holdall({
  url: process.env.HOLDALL_URL ?? "http://127.0.0.1:3000",
  apiKey: process.env.HOLDALL_KEY,
});

/** Where this app keeps its private pictures. */
export const FOLDER = "next-example";

export async function storedPictures(): Promise<FileObject[]> {
  const found: FileObject[] = [];
  try {
    for await (const file of holdall.files.list(FOLDER)) found.push(file);
  } catch (error) {
    // The first upload makes the folder.
    if (!(error instanceof HoldallError && error.code === "not_found")) throw error;
  }
  return found;
}
