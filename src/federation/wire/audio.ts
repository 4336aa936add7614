import { countOf, type Document, idOf, typeOf } from './values.js';
import { plainWordsOf } from './words.js';

const MAX_TEXT = 1_000;

/** The track that a Listen is of. Its texts are plain. */
export interface RemoteAudio {
  readonly title: string;
  readonly artist: string;
  readonly album: string;
  /** Milliseconds; 0 when it is not known. */
  readonly length: number;
  /** Empty without one. */
  readonly externalLink: string;
}

/** Reads the Audio of a Listen; undefined for anything else, and without a title. */
export function parseAudio(audio: Document | undefined): RemoteAudio | undefined {
  const title = plainWordsOf(audio, 'title', MAX_TEXT) || plainWordsOf(audio, 'name', MAX_TEXT);
  if (!audio || typeOf(audio) !== 'Audio' || title === '') return undefined;
  return {
    title,
    artist: plainWordsOf(audio, 'artist', MAX_TEXT),
    album: plainWordsOf(audio, 'album', MAX_TEXT),
    length: countOf(audio['length']) ?? 0,
    externalLink: idOf(audio['externalLink']) ?? '',
  };
}
