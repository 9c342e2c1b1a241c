import type { Page } from "playwright-core";

/** A PDF with numbered pages, padded by `bytes`. */
export function createPdf(pages: number, bytes = 0): string {
  const objects = [
    "<</Type/Catalog/Pages 2 0 R>>",
    `<</Type/Pages/Count ${pages}/Kids[${Array.from({ length: pages }, (_, at) => `${4 + 2 * at} 0 R`).join(" ")}]>>`,
    "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
  ];
  for (let number = 1; number <= pages; number += 1) {
    const drawn = `0.04 0.4 0.37 rg 72 600 240 90 re f BT 0 g /F 48 Tf 72 500 Td (Page ${number}) Tj ET`;
    objects.push(
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F 3 0 R>>>>/Contents ${objects.length + 2} 0 R>>`,
      `<</Length ${drawn.length}>>stream\n${drawn}\nendstream`,
    );
  }
  let text = `%PDF-1.4\n%${"-".repeat(bytes)}\n`;
  const offsets = objects.map((object, at) => {
    const offset = text.length;
    text += `${at + 1} 0 obj${object}endobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  return `${text}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${text.length}\n%%EOF`;
}

/** A WAV file with a tone. */
export function createWav(seconds = 1): Uint8Array<ArrayBuffer> {
  const rate = 8_000;
  const length = rate * seconds;
  const view = new DataView(new ArrayBuffer(44 + length));
  const write = (at: number, text: string) => {
    for (const [index, letter] of [...text].entries()) {
      view.setUint8(at + index, letter.charCodeAt(0));
    }
  };
  write(0, "RIFF");
  view.setUint32(4, 36 + length, true);
  write(8, "WAVEfmt ");
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, rate, true);
  view.setUint32(28, rate, true);
  view.setUint16(32, 1, true);
  view.setUint16(34, 8, true);
  write(36, "data");
  view.setUint32(40, length, true);
  for (let at = 0; at < length; at += 1) view.setUint8(44 + at, 128 + 60 * Math.sin(at / 3));
  return new Uint8Array(view.buffer);
}

/** A one-second WebM video, recorded by the browser. */
export async function recordVideo(page: Page): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await page.evaluate(async () => {
    const canvas = document.createElement("canvas");
    canvas.width = 320;
    canvas.height = 180;
    const context = canvas.getContext("2d");
    const recorder = new MediaRecorder(canvas.captureStream(20), { mimeType: "video/webm" });
    const parts: Blob[] = [];
    recorder.ondataavailable = ({ data }) => parts.push(data);
    const ended = new Promise((resolve) => {
      recorder.onstop = resolve;
    });
    recorder.start();
    for (let at = 0; at < 20; at += 1) {
      if (context !== null) {
        context.fillStyle = `hsl(${170 + at * 6} 50% 45%)`;
        context.fillRect(0, 0, 320, 180);
        context.fillStyle = "white";
        context.fillRect(at * 14, 60, 40, 60);
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    recorder.stop();
    await ended;
    return Array.from(new Uint8Array(await new Blob(parts).arrayBuffer()));
  });
  return new Uint8Array(bytes);
}
