const MOVING = /\.moving\.[a-z0-9]+$/;

/** The file extension of a moving picture with a still. */
export function movingExtension(extension: string): string {
  return `moving.${extension}`;
}

/** The key of a picture's still by the picture's key, or its path by the picture's; undefined without one. */
export function stillBeside(name: string): string | undefined {
  return MOVING.test(name) ? name.replace(MOVING, '.still.webp') : undefined;
}
