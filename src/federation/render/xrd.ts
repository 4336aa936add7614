import { escapeHtml } from '../../common/index.js';

/** A WebFinger answer (RFC 7033). */
export interface ResourceDescription {
  readonly subject?: string;
  readonly aliases?: readonly string[];
  readonly links: readonly Readonly<Record<string, string>>[];
}

/** The description as XRD 1.0, for clients without JSON (RFC 6415). */
export function xrdDocument({ subject, aliases = [], links }: ResourceDescription): string {
  const parts = [
    subject === undefined ? '' : `<Subject>${escapeHtml(subject)}</Subject>`,
    ...aliases.map((alias) => `<Alias>${escapeHtml(alias)}</Alias>`),
    ...links.map((link) => `<Link${Object.entries(link).map(attribute).join('')}/>`),
  ];
  return `<?xml version="1.0" encoding="UTF-8"?>\n<XRD xmlns="http://docs.oasis-open.org/ns/xri/xrd-1.0">${parts.join('')}</XRD>\n`;
}

function attribute([name, value]: [string, string]): string {
  return ` ${name}="${escapeHtml(value)}"`;
}
