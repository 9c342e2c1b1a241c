import { expect, test } from "bun:test";
import { setImmediate } from "node:timers/promises";
import { eventually } from "../../../../test/expectations.ts";
import { type Item, itemOf } from "../item.ts";
import { createThumbnailPreparation } from "./thumbnail-preparation.ts";

const JPEG = "\xff\xd8\xff\xe0 and more";
const latin1 = (text: string) => new Blob([Uint8Array.from(text, (each) => each.charCodeAt(0))]);

function stored(id: number, name: string, text: string): Item {
  return { ...itemOf(id, { folder: "photos", name, content: latin1(text) }), state: "done" };
}

/** A preparation that records its requests, which the test answers. */
function recorded() {
  const requests: { key: string; answer: (isDone: boolean) => void }[] = [];
  const preparation = createThumbnailPreparation(
    (key) => new Promise((answer) => requests.push({ key, answer })),
  );
  const keys = () => requests.map(({ key }) => key);
  const waitForRequests = (count: number): Promise<void> =>
    eventually(`${count} requests`, () => requests.length >= count);
  return { preparation, requests, keys, waitForRequests };
}

test("asks for each stored image once, one after the other", async () => {
  const { preparation, requests, keys, waitForRequests } = recorded();
  const images = [
    stored(1, "a.jpg", JPEG),
    stored(2, "b.png", "\x89PNG\r\n\x1a\n…"),
    stored(3, "c.webp", "RIFF\0\0\0\0WEBPVP8 "),
    stored(4, "d.gif", "GIF89a"),
  ];
  const others = [
    stored(5, "e.jpg", "no image"),
    stored(6, "f.wav", "RIFF\0\0\0\0WAVEfmt "),
    { ...stored(7, "g.jpg", JPEG), state: "waiting" as const },
  ];
  preparation.onStored([...images, ...others]);
  for (let at = 1; at <= images.length; at += 1) {
    await waitForRequests(at);
    expect(keys()).toHaveLength(at);
    preparation.onStored(images);
    requests.at(-1)?.answer(true);
  }
  expect(keys()).toEqual(["photos/a.jpg", "photos/b.png", "photos/c.webp", "photos/d.gif"]);
});

test("drops the waiting ones when the server is busy, and prepares later ones", async () => {
  const { preparation, requests, keys, waitForRequests } = recorded();
  preparation.onStored([stored(1, "a.jpg", JPEG), stored(2, "b.jpg", JPEG)]);
  await waitForRequests(1);
  requests[0]?.answer(false);
  // The reply is handled before any timer.
  await setImmediate();
  preparation.onStored([{ ...stored(3, "c.jpg", JPEG), storedKey: "photos/c (2).jpg" }]);
  await waitForRequests(2);
  expect(keys()).toEqual(["photos/a.jpg", "photos/c (2).jpg"]);
});
