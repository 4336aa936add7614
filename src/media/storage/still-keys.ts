const MOVING = /\.moving\.[a-z0-9]+$/;

/** The ending of the name of a picture that moves, and that has a still beside it. */
export function movingExtension(extension: string): string {
  return `moving.${extension}`;
}

/** The key of the still that lies beside a picture, by the picture's key, or its path by the picture's; undefined for others. */
export function stillBeside(name: string): string | undefined {
  return MOVING.test(name) ? name.replace(MOVING, '.still.webp') : undefined;
}
