import { holdall, storedPictures } from "../lib/holdall";
import { Uploads } from "./uploads";

// Signed URLs end, so the page is made anew for each visitor.
export const dynamic = "force-dynamic";

const MINUTES = 10;

export default async function Page() {
  const pictures = await storedPictures();
  const signed = await holdall.files.sign(
    pictures.map(({ id }) => ({ id })),
    { expiresIn: MINUTES * 60 },
  );
  return (
    <main>
      <h1>Private pictures</h1>
      <Uploads />
      {pictures.map(({ id, name }, at) => (
        <img key={id} src={`${signed[at]?.url}&size=small`} alt={name} width={300} />
      ))}
    </main>
  );
}
