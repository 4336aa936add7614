import { Type } from 'typebox';
import { DateTime, Nullable } from '../../common/index.js';

const closed = { additionalProperties: false } as const;

/** `GET /api/v1/instance/extended_description` (reference ExtendedDescription). */
export const ExtendedDescriptionShape = Type.Object(
  { updated_at: Nullable(DateTime), content: Type.String() },
  { ...closed, title: 'ExtendedDescription' },
);

/** `GET /api/v1/instance/terms_of_service` (reference TermsOfService). */
export const TermsOfServiceShape = Type.Object(
  {
    effective_date: Type.String({ format: 'date' }),
    effective: Type.Boolean(),
    content: Type.String(),
    succeeded_by: Type.Null(),
  },
  { ...closed, title: 'TermsOfService' },
);

/** A server that this one limits (reference DomainBlock). */
export const DomainBlockShape = Type.Object(
  {
    domain: Type.String(),
    digest: Type.String({ pattern: /^[0-9a-f]{64}$/ }),
    severity: Type.Union([Type.Literal('suspend'), Type.Literal('silence')]),
    comment: Type.String(),
  },
  { ...closed, title: 'DomainBlock' },
);

/** A language that the server names as its own (reference Language). */
export const LanguageShape = Type.Object({ code: Type.String(), name: Type.String() }, closed);

/** Which languages posts can be translated from, and into which: none. */
export const TranslationLanguagesShape = Type.Object({}, closed);
