import { type Point, strokesOf } from './captcha-glyphs.js';

const WIDTH = 288;
const HEIGHT = 80;
const MARGIN = 24;
/** The height of a letter before it is bent: six units. */
const UNIT = 7;
const INK = 1.7;
const LINES = 3;
const SPECKS = 300;
const PAPER = 0xff;

/** A random number from 0 to below 1. */
type Random = () => number;

/** Draws letters that people can read and simple programs cannot: turned, bent and crossed out, as PNG. */
export function captchaPicture(letters: string, random: Random = Math.random): Promise<Buffer> {
  const pixels = Buffer.alloc(WIDTH * HEIGHT, PAPER);
  const bend = waves(random);
  const step = (WIDTH - 2 * MARGIN) / letters.length;
  Array.from(letters).forEach((letter, at) => {
    const place = placed(MARGIN + step * (at + 0.5), random);
    for (const stroke of strokesOf(letter))
      draw(
        pixels,
        finely(stroke).map((point) => bend(place(point))),
        INK,
      );
  });
  for (let line = 0; line < LINES; line += 1) draw(pixels, crossing(random).map(bend), INK / 4);
  for (let speck = 0; speck < SPECKS; speck += 1) {
    const at = Math.floor(random() * pixels.length);
    pixels[at] = Math.floor(random() * PAPER);
  }
  return png(pixels);
}

/** Moves the points of a letter to its place, turned and slanted a little. */
function placed(x: number, random: Random): (point: Point) => Point {
  const turn = between(-0.35, 0.35, random);
  const slant = between(-0.25, 0.25, random);
  const size = UNIT * between(0.85, 1.15, random);
  const [left, top] = [x + between(-4, 4, random), HEIGHT / 2 + between(-8, 8, random)];
  return ([u, v]) => {
    const [a, b] = [(u - 2 + slant * (v - 3)) * size, (v - 3) * size];
    return [left + a * Math.cos(turn) - b * Math.sin(turn), top + a * Math.sin(turn) + b * Math.cos(turn)];
  };
}

/** Bends the whole picture in waves. */
function waves(random: Random): (point: Point) => Point {
  const [height, width] = [between(2, 4, random), between(1, 3, random)];
  const [first, second] = [between(0, 6, random), between(0, 6, random)];
  return ([x, y]) => [x + width * Math.sin(y / 9 + first), y + height * Math.sin(x / 17 + second)];
}

/** A line from one side to the other. */
function crossing(random: Random): Point[] {
  const [from, to] = [between(10, HEIGHT - 10, random), between(10, HEIGHT - 10, random)];
  return finely([
    [0, from],
    [WIDTH, to],
  ]);
}

/** The line through more points, so that it can be bent. */
function finely(points: readonly Point[]): Point[] {
  const parts = 12;
  return points.flatMap((point, at): Point[] => {
    const next = points[at + 1];
    if (!next) return [point];
    return Array.from({ length: parts }, (_, part): Point => {
      const share = part / parts;
      return [point[0] + (next[0] - point[0]) * share, point[1] + (next[1] - point[1]) * share];
    });
  });
}

/** Draws a line with soft edges. */
function draw(pixels: Buffer, points: readonly Point[], radius: number): void {
  points.forEach((point, at) => {
    const next = points[at + 1];
    if (next) drawSegment(pixels, point, next, radius);
  });
}

function drawSegment(pixels: Buffer, from: Point, to: Point, radius: number): void {
  const reach = radius + 1;
  const [left, right] = [Math.min(from[0], to[0]) - reach, Math.max(from[0], to[0]) + reach];
  const [top, bottom] = [Math.min(from[1], to[1]) - reach, Math.max(from[1], to[1]) + reach];
  for (let y = Math.max(0, Math.floor(top)); y < Math.min(HEIGHT, bottom); y += 1) {
    for (let x = Math.max(0, Math.floor(left)); x < Math.min(WIDTH, right); x += 1) {
      const cover = Math.min(1, Math.max(0, reach - distance([x, y], from, to)));
      const at = y * WIDTH + x;
      pixels[at] = Math.min(pixels[at] ?? PAPER, Math.round(PAPER * (1 - cover * 0.8)));
    }
  }
}

/** The distance from a point to a line segment. */
function distance([x, y]: Point, [ax, ay]: Point, [bx, by]: Point): number {
  const [dx, dy] = [bx - ax, by - ay];
  const length = dx * dx + dy * dy;
  const share = length === 0 ? 0 : Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / length));
  return Math.hypot(x - ax - share * dx, y - ay - share * dy);
}

/** Shades of grey as PNG. These pixels are our own: nothing from outside is decoded in this process. */
async function png(pixels: Buffer): Promise<Buffer> {
  const { default: sharp } = await import('sharp'); // loaded only where captchas are shown
  const image = sharp(pixels, { raw: { width: WIDTH, height: HEIGHT, channels: 1 } });
  return image.toColourspace('b-w').png().toBuffer();
}

function between(low: number, high: number, random: Random): number {
  return low + (high - low) * random();
}
