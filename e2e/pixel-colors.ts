import type { Locator } from "playwright-core";

export type Color = readonly [red: number, green: number, blue: number];

/** From the left and from the top, as parts of the width and height. */
export type Point = readonly [x: number, y: number];

/** The colors on the screen at points of an element, whatever it is made of. */
export async function pixelColors(element: Locator, points: readonly Point[]): Promise<Color[]> {
  const png = (await element.screenshot()).toString("base64");
  return element.page().evaluate(
    async ({ png, points }) => {
      const bytes = Uint8Array.from(atob(png), (character) => character.charCodeAt(0));
      const image = await createImageBitmap(new Blob([bytes]));
      const { width, height } = image;
      const context = new OffscreenCanvas(width, height).getContext("2d");
      if (context === null) throw new Error("The browser has no canvas.");
      context.drawImage(image, 0, 0);
      return points.map(([x, y]): Color => {
        const [left, top] = [Math.floor(x * width), Math.floor(y * height)];
        const [red = 0, green = 0, blue = 0] = context.getImageData(left, top, 1, 1).data;
        return [red, green, blue];
      });
    },
    { png, points },
  );
}

/** The contrast of WCAG 2, from 1 to 21. */
export function contrastOf(one: Color, other: Color): number {
  const [lighter = 0, darker = 0] = [one, other].map(luminanceOf).sort((a, b) => b - a);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminanceOf(color: Color): number {
  const [red = 0, green = 0, blue = 0] = color.map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
