const LABEL = /charset\s*=\s*["']?([\w.:-]{1,40})/i;
/** Length of the beginning of a page that is searched for its charset. */
const SEARCHED_BYTES = 1_024;

/** The charset of a page: from its content type, else from the page itself, else UTF-8. */
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
