const LABEL = /charset\s*=\s*["']?([\w.:-]{1,40})/i;
/** A page says in its first bytes how it is written. */
const SEARCHED_BYTES = 1_024;

/** How a page is written: as its content type says, else as the page itself says, else UTF-8. */
export function charsetOf(contentType: string, body: Buffer): string {
  const said = LABEL.exec(contentType)?.[1] ?? LABEL.exec(body.subarray(0, SEARCHED_BYTES).toString('latin1'))?.[1];
  return said !== undefined && isKnown(said) ? said : 'utf-8';
}

function isKnown(label: string): boolean {
  try {
    return new TextDecoder(label).encoding !== '';
  } catch {
    return false;
  }
}
