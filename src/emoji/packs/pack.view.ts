import { Injectable } from '@nestjs/common';
import { PackArchives } from './pack-archives.js';
import { filesJson, type Manifest, metadataJson } from './pack.manifest.js';
import type { PackJson, PacksJson } from './pack.shape.js';

interface Named extends Manifest {
  readonly name: string;
}

/** Packs as JSON (spec §2.6). */
@Injectable()
export class PackView {
  constructor(private readonly archives: PackArchives) {}

  /** A local pack, with a page of its files, without disabled emoji. */
  async page(pack: Named, page: number, size: number): Promise<PackJson> {
    const shown = await this.ours(pack);
    const files = Object.entries(shown.files).slice((page - 1) * size, page * size);
    return { ...shown, files: Object.fromEntries(files) };
  }

  /** Several local packs, like {@link page}. */
  async many(packs: readonly Named[], count: number): Promise<PacksJson> {
    const shown: [string, PackJson][] = [];
    for (const pack of packs) shown.push([pack.name, await this.ours(pack)]); // one after the other: files are read
    return { packs: Object.fromEntries(shown), count };
  }

  /** Several packs of another server. */
  remote(packs: readonly Named[], count: number): PacksJson {
    return { packs: Object.fromEntries(packs.map((pack) => [pack.name, packJson(pack)])), count };
  }

  private async ours(pack: Named): Promise<PackJson> {
    const sha256 = await this.archives.sha256(pack.name, pack);
    const download = sha256 === undefined ? {} : { 'download-sha256': sha256 };
    const json = packJson(this.archives.forOthers(pack.name, pack));
    return { ...json, pack: { ...json.pack, 'can-download': sha256 !== undefined, ...download } };
  }
}

function packJson({ files, metadata }: Manifest): PackJson {
  return { files: filesJson(files), files_count: files.size, pack: metadataJson(metadata) };
}
