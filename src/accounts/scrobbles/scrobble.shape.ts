import { type Static, Type } from 'typebox';
import { DateTime, DecimalId, Described } from '../../common/index.js';
import { AccountShape } from '../model/account.shape.js';

/** A scrobble (spec §2.6). `externalLink` is the older name of the link (spec §9.3). */
export const ScrobbleShape = Type.Object(
  {
    id: DecimalId,
    account: Described(AccountShape, 'The account.'),
    title: Type.String(),
    artist: Type.String(),
    album: Type.String(),
    length: Type.Integer({ minimum: 0 }),
    external_link: Type.String(),
    externalLink: Type.String(),
    created_at: Described(DateTime, 'When it was created.'),
  },
  { additionalProperties: false, title: 'Scrobble' },
);

export type ScrobbleJson = Static<typeof ScrobbleShape>;
