const MAX_LENGTH = 254;
const MAX_LOCAL_LENGTH = 64;
const ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
const LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
const ADDRESS = new RegExp(`^(${ATOM}(?:\\.${ATOM})*)@(?:${LABEL}\\.)+${LABEL}$`);

/**
 * Whether a text is a common e-mail address: dot-atoms of ASCII at a host name with a dot. Refuses quoted local parts,
 * comments and address literals of RFC 5322, since mail systems disagree about them (threat O23).
 */
export function isEmail(text: string): boolean {
  if (text.length > MAX_LENGTH) return false;
  const local = ADDRESS.exec(text)?.[1];
  return local !== undefined && local.length <= MAX_LOCAL_LENGTH;
}
