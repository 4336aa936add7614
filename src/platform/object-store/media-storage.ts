import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { OBJECT_STORE, type ObjectHeaders, type ObjectStore } from './object-store.js';
import { ENV, type Env } from '../env/env.js';
import { DAILY, Recurs } from '../jobs/handlers.js';
import { mediaTypeOfName } from '../media/media-type.js';
import { GROUP_READABLE, type Modes, PRIVATE } from '../media/storage.js';
import { StoredFolder } from './stored-folder.js';

/** Stores media: in `DATA_DIR/media`, or under `media/` in the bucket. */
@Injectable()
export class MediaStorage extends StoredFolder implements OnModuleInit {
  constructor(
    @Inject(ENV) env: Pick<Env, 'dataDir' | 'mediaFileMode'>,
    @Inject(OBJECT_STORE) store: ObjectStore | null,
  ) {
    super({
      env,
      store,
      name: 'media',
      modes: modesOf(env, 'media/'),
      headersOf: (key) => objectHeadersOf(`media/${key}`),
    });
  }

  onModuleInit(): Promise<void> {
    return this.prepare();
  }

  /** Runs daily too: when a killed process is restarted, its drafts are not old enough yet. */
  @Recurs({ job: 'storage.sweep-drafts', everyMinutes: DAILY })
  sweepDrafts(): Promise<void> {
    return this.removeOldDrafts();
  }
}

/** The folders of DATA_DIR that are in the bucket when there is one. */
export const STORED_FOLDERS = ['media', 'emoji', 'archives', 'frontends'] as const;

/** Whether the files of a folder, or a file by its path, are in the bucket of a server that has one. */
export function isInStore(path: string): boolean {
  const folder = path.split('/')[0];
  return STORED_FOLDERS.some((each) => each === folder);
}

/** The modes of a file by its path in DATA_DIR: a web server may read media itself (threat P11). */
export function modesOf({ mediaFileMode }: Pick<Env, 'mediaFileMode'>, path: string): Modes {
  return mediaFileMode === '0640' && path.startsWith('media/') ? GROUP_READABLE : PRIVATE;
}

/** The headers of a file by its path in DATA_DIR. For buckets that are public themselves: an unknown type is a download (threat M1), and no name ever gets another content. */
export function objectHeadersOf(path: string): ObjectHeaders {
  if (!path.startsWith('media/')) return {};
  const type = mediaTypeOfName(path);
  return {
    contentType: type?.mime ?? 'application/octet-stream',
    contentDisposition: type ? 'inline' : 'attachment',
    cacheControl: 'public, max-age=1209600, immutable',
  };
}
