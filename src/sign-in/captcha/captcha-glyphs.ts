/** A point of a letter, which is four units wide and six high. */
export type Point = readonly [x: number, y: number];

/** Letters as strokes, so that no font is needed. Leaves out letters that look alike when bent. */
const STROKES: Readonly<Record<string, string>> = {
  A: '0,6 2,0 4,6|1,4 3,4',
  C: '4,1 3,0 1,0 0,1 0,5 1,6 3,6 4,5',
  E: '4,0 0,0 0,6 4,6|0,3 3,3',
  F: '4,0 0,0 0,6|0,3 3,3',
  H: '0,0 0,6|4,0 4,6|0,3 4,3',
  K: '0,0 0,6|4,0 0,3 4,6',
  L: '0,0 0,6 4,6',
  M: '0,6 0,0 2,3 4,0 4,6',
  N: '0,6 0,0 4,6 4,0',
  P: '0,6 0,0 3,0 4,1 4,2 3,3 0,3',
  R: '0,6 0,0 3,0 4,1 4,2 3,3 0,3|2,3 4,6',
  T: '0,0 4,0|2,0 2,6',
  U: '0,0 0,5 1,6 3,6 4,5 4,0',
  W: '0,0 1,6 2,2 3,6 4,0',
  X: '0,0 4,6|4,0 0,6',
  Y: '0,0 2,3 4,0|2,3 2,6',
  3: '0,0 4,0 2,2 4,3 4,5 3,6 1,6 0,5',
  4: '3,6 3,0 0,4 4,4',
  7: '0,0 4,0 1,6',
};

/** The alphabet of solutions. */
export const CAPTCHA_LETTERS = Object.keys(STROKES);

/** The strokes of a letter: lines through points. */
export function strokesOf(letter: string): Point[][] {
  return (STROKES[letter] ?? '').split('|').map((stroke) =>
    stroke.split(' ').map((point): Point => {
      const [x, y] = point.split(',').map(Number);
      return [x ?? 0, y ?? 0];
    }),
  );
}
