import { HoldallError } from "@holdall/sdk";
import { FOLDER, holdall } from "../../../lib/holdall";

const MAX_BYTES = 50_000_000;

/** Gives the browser an upload URL for one picture. */
export async function POST(request: Request): Promise<Response> {
  // Check here who is signed in.
  const { name, size } = await request.json();
  if (!(size <= MAX_BYTES)) return Response.json({ message: "At most 50 MB." }, { status: 413 });
  try {
    const { url } = await holdall.uploads.create({
      folder: FOLDER,
      name,
      size,
      types: ["image/*"],
      visibility: "private",
      onConflict: "keepBoth",
    });
    return Response.json({ url });
  } catch (error) {
    // Such as 415: the name is not that of a picture.
    if (!(error instanceof HoldallError)) throw error;
    return Response.json({ message: error.message }, { status: error.status || 502 });
  }
}
