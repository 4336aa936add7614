import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  type FileOwnership,
  FileOwners,
  type FileStanding,
  type OwnedFile,
  picturePathsOf,
  ReportedFiles,
} from '../../media/index.js';
import { type ReadCache, ReadCaches } from '../../platform/index.js';
import { postingRestrictions } from '../model/restrictions.js';
import { FileOwnerRepository } from './file-owner.repository.js';

const CACHE_BYTES = 4 * 1024 * 1024;

/**
 * Decides which files may be served, by the state of the accounts that have them. Implements the port {@link FileOwners}.
 * Stores, for a minute at most, what the account of a file that is served decides (ADR 25).
 */
@Injectable()
export class FileOwnersService implements FileOwnership, OnModuleInit {
  private readonly standings: ReadCache<{ readonly standing: FileStanding }>;

  constructor(
    private readonly owners: FileOwnerRepository,
    private readonly port: FileOwners,
    private readonly reported: ReportedFiles,
    caches: ReadCaches,
  ) {
    this.standings = caches.create('file_standings', CACHE_BYTES, () => 0);
  }

  onModuleInit(): void {
    this.port.use(this);
  }

  async standingOf(file: OwnedFile): Promise<FileStanding> {
    const pictures = 'key' in file ? picturePathsOf(file.key) : [file.url];
    const name = 'key' in file ? file.key : file.url;
    const stored = await this.standings.find(name, async () => {
      const owner = await this.owners.find(file, pictures);
      if (owner && !owner.active) return undefined; // another account that gets the file is no subject yet
      if (!owner && (await this.reported.among([name])).size > 0) return undefined; // its post is gone, the evidence is not
      if (!owner) return { value: { standing: 'revocable' }, subjects: [] };
      const { id, local, tags } = owner;
      const isFree = local && !Object.values(postingRestrictions(tags)).some(Boolean);
      return { value: { standing: isFree ? 'settled' : 'revocable' }, subjects: [id] };
    });
    return stored?.standing ?? 'hidden';
  }
}
