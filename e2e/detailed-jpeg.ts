import { encodeJpeg } from "../test/image-encoders.ts";

const [WIDTH, HEIGHT] = [640, 427];
/** Sizes of the details, in pixels, and how strong they are. */
const DETAILS = [
  [200, 110],
  [60, 60],
  [20, 70],
  [7, 75],
  [4, 66],
] as const;

/** A picture with as many bytes as a photograph: areas with edges, and fine details in a part of it. */
export const detailedJpeg = (number: number): Promise<Buffer> =>
  encodeJpeg(WIDTH, HEIGHT, (x, y) => {
    let light = 120;
    for (const [size, strength] of DETAILS) {
      // A part without details, as a sky is.
      if (size < 20 && y < HEIGHT / 3) continue;
      light += strength * (smooth(x / size, y / size, number * 31 + size) - 0.5);
    }
    // An edge, as of a roof.
    const isFront = y > HEIGHT * 0.5 + 80 * Math.sin(x / 60 + number);
    return isFront ? [light, light * 0.75, light * 0.5] : [light * 0.8, light * 0.9, light + 40];
  });

/** Noise between 0 and 1 that is continuous in `x` and `y`. */
function smooth(x: number, y: number, seed: number): number {
  const [left, top] = [Math.floor(x), Math.floor(y)];
  const [right, bottom] = [x - left, y - top];
  const upper = mix(random(left, top, seed), random(left + 1, top, seed), right);
  const lower = mix(random(left, top + 1, seed), random(left + 1, top + 1, seed), right);
  return mix(upper, lower, bottom);
}

const mix = (one: number, other: number, share: number): number => one + (other - one) * share;

function random(x: number, y: number, seed: number): number {
  const value = Math.sin(x * 127.1 + y * 311.7 + seed * 74.7) * 43_758.5453;
  return value - Math.floor(value);
}
