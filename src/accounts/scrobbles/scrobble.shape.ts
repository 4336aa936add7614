import { type Static, Type } from 'typebox';
import { DateTime, DecimalId, Described } from '../../common/index.js';
import { AccountShape } from '../model/account.shape.js';

/** A scrobble (spec §2.6). `externalLink` is the older name of the link (spec §9.3). */
export const ScrobbleShape = Type.Object(
  {
    id: Described(DecimalId, 'The id of the entry.'),
    account: Described(AccountShape, 'The account that listened.'),
    title: Described(Type.String(), 'The title of the track.'),
    artist: Described(Type.String(), 'The artist.'),
    album: Described(Type.String(), 'The album.'),
    length: Described(Type.Integer({ minimum: 0 }), 'The length in milliseconds.'),
    external_link: Described(Type.String(), 'The address of the track; empty for none.'),
    externalLink: Described(Type.String(), 'The older name of `external_link`.'),
    created_at: Described(DateTime, 'When it was created.'),
  },
  { additionalProperties: false, title: 'Scrobble' },
);

export type ScrobbleJson = Static<typeof ScrobbleShape>;
