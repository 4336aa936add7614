import { Type } from 'typebox';
import { DateTime, Described, Nullable } from '../../common/index.js';
import { closed } from './instance.shape.js';

/** `GET /api/v1/instance/extended_description` (reference ExtendedDescription). */
export const ExtendedDescriptionShape = closed(
  {
    updated_at: Described(Nullable(DateTime), 'When the staff last changed it; null for never.'),
    content: Described(Type.String(), 'The text as HTML; empty for none.'),
  },
  'ExtendedDescription',
);

/** `GET /api/v1/instance/privacy_policy` (reference PrivacyPolicy). */
export const PrivacyPolicyShape = closed(
  {
    updated_at: Described(DateTime, 'When the staff last changed it.'),
    content: Described(Type.String(), 'The text as HTML.'),
  },
  'PrivacyPolicy',
);

/** `GET /api/v1/instance/terms_of_service` (reference TermsOfService). */
export const TermsOfServiceShape = closed(
  {
    effective_date: Described(Type.String({ format: 'date' }), 'The day on which they took effect.'),
    effective: Described(Type.Boolean(), 'Whether they are in effect: always true.'),
    content: Described(Type.String(), 'The text as HTML.'),
    succeeded_by: Described(Type.Null(), 'The day on which later terms take effect: always null.'),
  },
  'TermsOfService',
);

/** A server that this one limits (reference DomainBlock). */
export const DomainBlockShape = closed(
  {
    domain: Described(Type.String(), 'The domain of the server.'),
    digest: Described(Type.String({ pattern: /^[0-9a-f]{64}$/ }), 'The SHA-256 of the domain in hexadecimal.'),
    severity: Described(
      Type.Union([Type.Literal('suspend'), Type.Literal('silence')]),
      'Whether everything of the server is rejected, or only kept off public timelines.',
    ),
    comment: Described(Type.String(), 'The reason; empty for none.'),
  },
  'DomainBlock',
);

/** A language that the server names as its own (reference Language). */
export const LanguageShape = closed({
  code: Described(Type.String(), 'The language as a tag such as `en`.'),
  name: Described(Type.String(), 'The name of the language in English.'),
});

/** Which languages posts can be translated from, and into which: none. */
export const TranslationLanguagesShape = closed({});
