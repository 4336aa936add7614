import { Type } from 'typebox';
import { DateTime, Nullable } from '../../common/index.js';
import { closed } from './instance.shape.js';

/** `GET /api/v1/instance/extended_description` (reference ExtendedDescription). */
export const ExtendedDescriptionShape = closed(
  { updated_at: Nullable(DateTime), content: Type.String() },
  'ExtendedDescription',
);

/** `GET /api/v1/instance/privacy_policy` (reference PrivacyPolicy). */
export const PrivacyPolicyShape = closed({ updated_at: DateTime, content: Type.String() }, 'PrivacyPolicy');

/** `GET /api/v1/instance/terms_of_service` (reference TermsOfService). */
export const TermsOfServiceShape = closed(
  {
    effective_date: Type.String({ format: 'date' }),
    effective: Type.Boolean(),
    content: Type.String(),
    succeeded_by: Type.Null(),
  },
  'TermsOfService',
);

/** A server that this one limits (reference DomainBlock). */
export const DomainBlockShape = closed(
  {
    domain: Type.String(),
    digest: Type.String({ pattern: /^[0-9a-f]{64}$/ }),
    severity: Type.Union([Type.Literal('suspend'), Type.Literal('silence')]),
    comment: Type.String(),
  },
  'DomainBlock',
);

/** A language that the server names as its own (reference Language). */
export const LanguageShape = closed({ code: Type.String(), name: Type.String() });

/** Which languages posts can be translated from, and into which: none. */
export const TranslationLanguagesShape = closed({});
