import { parseUrl } from '../../platform/index.js';

const LONGEST = 120;
/** Characters that paths, file systems and terminals misread. */
const UNSAFE = /[\\/\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;

/** The file name in a URL, for display; empty when it has none. */
export function fileNameOf(url: string): string {
  const path = parseUrl(url)?.pathname ?? '';
  const name = decoded(path.slice(path.lastIndexOf('/') + 1)).replace(UNSAFE, '_');
  const short = Array.from(name).slice(-LONGEST).join('');
  return /^\.*$/.test(short) ? '' : short;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
