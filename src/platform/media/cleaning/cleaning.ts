import type { MediaFacts } from '../media-facts.js';
import { EditedFile } from './edited-file.js';
import { cleanFlac } from './flac.js';
import { cleanMp3 } from './mp3.js';
import { cleanMp4 } from './mp4.js';
import { cleanOgg } from './ogg.js';
import { cleanWav } from './wav.js';
import { cleanWebm } from './webm.js';

type Clean = (file: EditedFile, mime: string) => Promise<MediaFacts | undefined>;

/** Keeps what the cleaner wants to keep. */
const moving =
  (clean: (file: EditedFile) => Promise<void>): Clean =>
  async (file) => {
    await clean(file);
    await file.finish();
    return undefined;
  };

const webm: Clean = async (file) => {
  await cleanWebm(file);
  return undefined;
};

const CLEANERS: Readonly<Record<string, Clean>> = {
  'video/mp4': cleanMp4,
  'video/quicktime': cleanMp4,
  'audio/mp4': cleanMp4,
  'video/webm': webm,
  'audio/webm': webm,
  'video/ogg': moving(cleanOgg),
  'audio/ogg': moving(cleanOgg),
  'audio/mpeg': moving(cleanMp3),
  'audio/flac': moving(cleanFlac),
  'audio/wav': moving(cleanWav),
};

/**
 * Removes from a video or a recording, in place, all but picture and sound: places, names, devices, dates, texts (threat M9).
 * Returns what its header says, where the cleaner reads it.
 * @throws UnreadableMedia when the file cannot be cleaned
 */
export async function cleanMedia(path: string, mime: string): Promise<MediaFacts | undefined> {
  const clean = CLEANERS[mime];
  if (!clean) throw new Error(`Files of ${mime} cannot be cleaned`);
  return EditedFile.edit(path, (file) => clean(file, mime));
}
