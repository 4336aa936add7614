/** Invalid options of a benchmark. */
export class Misuse extends Error {}
