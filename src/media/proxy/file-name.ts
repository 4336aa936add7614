const LONGEST = 120;
/** What paths, file systems and terminals make something else of. */
const UNSAFE = /[\\/\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;

/** The name of the file that a URL leads to, for people to read; empty when it has none. */
export function fileNameOf(url: string): string {
  const path = URL.parse(url)?.pathname ?? '';
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
