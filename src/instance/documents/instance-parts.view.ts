import { createHash } from 'node:crypto';
import type { Static } from 'typebox';
import type { Settings } from '../../config/index.js';
import type { InstanceText } from '../texts/instance-text.entity.js';
import type {
  DomainBlockShape,
  ExtendedDescriptionShape,
  LanguageShape,
  PrivacyPolicyShape,
  TermsOfServiceShape,
} from './instance-parts.shape.js';
import { federation } from './presentation.js';

/** The lists of hosts that are blocks in the words of the reference; the first that names a host counts. */
const SEVERITIES = [
  ['reject', 'suspend'],
  ['federated_timeline_removal', 'silence'],
] as const;

const LANGUAGE_NAMES = new Intl.DisplayNames(['en'], { type: 'language' });

/** The panel of the staff. */
export function extendedDescription(text: InstanceText | undefined): Static<typeof ExtendedDescriptionShape> {
  return { updated_at: text?.updatedAt.toISOString() ?? null, content: text?.html ?? '' };
}

/** The terms of service, which hold from the day when the staff wrote them. */
export function termsOfService({ html, updatedAt }: InstanceText): Static<typeof TermsOfServiceShape> {
  return {
    effective_date: updatedAt.toISOString().slice(0, 10),
    effective: true,
    content: html,
    succeeded_by: null,
  };
}

/** The privacy policy of the staff. */
export function privacyPolicy({ html, updatedAt }: InstanceText): Static<typeof PrivacyPolicyShape> {
  return { updated_at: updatedAt.toISOString(), content: html };
}

/** The servers that are blocked or hidden, with the reasons; undefined when the operator keeps them secret. */
export function domainBlocks(settings: Settings): Static<typeof DomainBlockShape>[] | undefined {
  if (!settings.get('mrf.transparency')) return undefined;
  const { mrf_simple: lists, mrf_simple_info: info } = federation(settings);
  if (!lists) return [];
  const blocks = new Map<string, Static<typeof DomainBlockShape>>();
  for (const [list, severity] of SEVERITIES)
    for (const host of lists[list] ?? []) {
      const domain = host.replace(/^\*\./, '');
      const digest = createHash('sha256').update(domain).digest('hex');
      const comment = info?.[list]?.[host]?.reason ?? '';
      if (!blocks.has(domain)) blocks.set(domain, { domain, digest, severity, comment });
    }
  return [...blocks.values()];
}

/** The languages of the server, named in English. */
export function languages(settings: Settings): Static<typeof LanguageShape>[] {
  return settings.get('instance.languages').map((code) => ({ code, name: LANGUAGE_NAMES.of(code) ?? code }));
}
