import { mediaTypeOfName } from '../platform/index.js';

/** Letters, digits and `_ - .`, with spaces within: a folder's name that no system reads as anything else (threat E1). */
const PACK_NAME = /^[A-Za-z0-9_](?:[A-Za-z0-9 ._-]{0,62}[A-Za-z0-9_-])?$/;
const FILE_NAME = /^[A-Za-z0-9_-][A-Za-z0-9 ._+-]{0,119}\.[a-z]{3,4}$/;

/** Whether a text can be the name of a pack. */
export function isPackName(text: string): boolean {
  return PACK_NAME.test(text);
}

/** Whether a text can be the name of a picture in a pack, of a type that this server shows. No drawings: they can hold scripts. */
export function isPictureName(text: string): boolean {
  return FILE_NAME.test(text) && mediaTypeOfName(text)?.kind === 'image';
}

/** What stands behind the address of a picture in that of its still. */
export const STILL = 'still.webp';
/** Emoji of these types mostly move; of the others hardly any does. */
const MAY_MOVE = /\.(gif|webp)$/;

/** Whether a picture may move, so that there is a still of it. */
export function mayMove(file: string): boolean {
  return MAY_MOVE.test(file);
}
