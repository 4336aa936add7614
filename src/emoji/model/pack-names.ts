import { mediaTypeOfName } from '../../platform/index.js';
import { phrase, type Reason } from '../../common/index.js';

/** Letters, digits and `_ - .`, with inner spaces: a folder name that is safe on every system (threat E1). */
const PACK_NAME = /^[A-Za-z0-9_](?:[A-Za-z0-9 ._-]{0,62}[A-Za-z0-9_-])?$/;
const LONGEST_STEM = 120;
const FILE_NAME = /^[A-Za-z0-9_-][A-Za-z0-9 ._+-]{0,119}\.[a-z]{3,4}$/;

/** Whether a text can be the name of a pack. */
export function isPackName(text: string): boolean {
  return PACK_NAME.test(text);
}

/** Whether a text is a picture name of a type that this server shows. SVG is excluded: it can hold scripts. */
export function isPictureName(text: string): boolean {
  return FILE_NAME.test(text) && mediaTypeOfName(text)?.kind === 'image';
}

/** The problem with a picture's name that has this extension; undefined when it is valid. */
export function pictureNameProblem(name: string, extension: string): Reason | undefined {
  if (/[/\\]/.test(name)) return 'must not hold a slash';
  if (!name.endsWith(`.${extension}`))
    return phrase('must end in .{extension}, as the picture is of this type', { extension });
  const stem = name.length - extension.length - 1;
  if (stem > LONGEST_STEM)
    return phrase('must have at most {max} characters before .{extension}', { max: LONGEST_STEM, extension });
  return isPictureName(name)
    ? undefined
    : 'must begin with a letter, digit, _ or -, and hold only those, spaces and . +';
}

/** The path segment that turns the address of a picture into that of its still. */
export const STILL = 'still.webp';
/** Emoji of these types usually move; others hardly ever do. */
const MAY_MOVE = /\.(gif|webp)$/;

/** Whether a picture may move and therefore has a still. */
export function mayMove(file: string): boolean {
  return MAY_MOVE.test(file);
}
