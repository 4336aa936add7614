import { element, xmlDocument } from '../../common/index.js';

/** A WebFinger answer (RFC 7033). */
export interface ResourceDescription {
  readonly subject?: string;
  readonly aliases?: readonly string[];
  readonly links: readonly Readonly<Record<string, string>>[];
}

/** The description as XRD 1.0, for clients without JSON (RFC 6415). */
export function xrdDocument({ subject, aliases = [], links }: ResourceDescription): string {
  return xmlDocument(
    element(
      'XRD',
      { xmlns: 'http://docs.oasis-open.org/ns/xri/xrd-1.0' },
      subject !== undefined && element('Subject', {}, subject),
      aliases.map((alias) => element('Alias', {}, alias)),
      links.map((link) => element('Link', link)),
    ),
  );
}
