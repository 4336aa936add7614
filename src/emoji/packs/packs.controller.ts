import { Delete, Get, Patch, Post, Res } from '@nestjs/common';
import type { Response } from 'express';
import { pipeline } from 'node:stream/promises';
import {
  AcceptsFiles,
  AdminOnly,
  Answers,
  AnythingShape,
  Input,
  Invalid,
  Json,
  Public,
  Summary,
  SvcApi,
  TextShape,
} from '../../common/index.js';
import { MAX_ARCHIVE_BYTES, PackArchives } from './pack-archives.js';
import { PackFilesService } from './pack-files.service.js';
import { PackTransferService } from './pack-transfer.service.js';
import { filesJson, metadataJson } from './pack.manifest.js';
import {
  PackFilesShape,
  PackMetadataShape,
  PackShape,
  PacksShape,
  type PackJson,
  type PacksJson,
} from './pack.shape.js';
import { PackView } from './pack.view.js';
import {
  DescribePackBody,
  DownloadPackBody,
  FileChangesBody,
  PackFileQuery,
  NewFileBody,
  PackPageQuery,
  PackQuery,
  PacksQuery,
  RemotePacksQuery,
  UnpackBody,
} from './packs.dto.js';
import { PacksService } from './packs.service.js';

const OK = 'ok';
const ARCHIVE = { maxBytes: { file: MAX_ARCHIVE_BYTES } };
type Files = Record<string, string>;

/** `C/emoji/pack` (spec §4.2): one pack of custom emoji. */
@SvcApi('emoji/pack')
export class PackController {
  constructor(
    private readonly packs: PacksService,
    private readonly view: PackView,
  ) {}

  @Summary('Shows a pack and a page of its emoji, without disabled ones.')
  @Get()
  @Public()
  @Answers(PackShape)
  async show(@Input(PackPageQuery) { name, page, page_size: size }: PackPageQuery): Promise<PackJson> {
    return this.view.page(await this.packs.byName(name), page, size);
  }

  @Summary('Creates an empty pack.')
  @Post()
  @AdminOnly('admin:write')
  @Answers(TextShape)
  async create(@Input(PackQuery) { name }: PackQuery): Promise<Json> {
    await this.packs.create(name);
    return Json.of(OK);
  }

  @Summary('Changes the description of a pack; only the given fields change.')
  @Patch()
  @AdminOnly('admin:write')
  @Answers(PackMetadataShape)
  async describe(@Input(DescribePackBody) { name, metadata = {} }: DescribePackBody) {
    const { license, homepage, description } = metadata;
    const fallbackSrc = metadata['fallback-src'];
    const changed = await this.packs.describe(name, {
      license,
      homepage,
      description,
      fallbackSrc: fallbackSrc === '' ? null : fallbackSrc,
      fallbackSha256: metadata['fallback-src-sha256'] || undefined,
      shareFiles: metadata['share-files'],
    });
    return metadataJson(changed);
  }

  @Summary('Deletes a pack and its pictures.')
  @Delete()
  @AdminOnly('admin:write')
  @Answers(TextShape)
  async remove(@Input(PackQuery) { name }: PackQuery): Promise<Json> {
    await this.packs.remove(name);
    return Json.of(OK);
  }
}

/** `C/emoji/packs` (spec §4.2): all packs, and their import and export. */
@SvcApi('emoji/packs')
export class PacksController {
  constructor(
    private readonly packs: PacksService,
    private readonly archives: PackArchives,
    private readonly transfer: PackTransferService,
    private readonly view: PackView,
  ) {}

  @Summary('Lists the packs of this server in pages, without disabled emoji.')
  @Get()
  @Public()
  @Answers(PacksShape)
  async list(@Input(PacksQuery) { page, page_size: size }: PacksQuery): Promise<PacksJson> {
    const { packs, count } = await this.packs.page(page, size);
    return this.view.many(packs, count);
  }

  @Summary("Imports the packs found in the server's folder, and returns their names.")
  @Get('import')
  @AdminOnly('admin:write')
  @Answers([TextShape])
  import(): Promise<string[]> {
    return this.packs.importFromDisk();
  }

  @Summary('Lists the packs of another server.')
  @Get('remote')
  @AdminOnly('admin:write')
  @Answers(PacksShape)
  async remote(@Input(RemotePacksQuery) { url, page, page_size: size }: RemotePacksQuery): Promise<PacksJson> {
    const { packs, count } = await this.transfer.remote(url, page, size);
    return this.view.remote(packs, count);
  }

  @Summary('Downloads a pack as a ZIP archive, if its files may be shared.')
  @Get('archive')
  @Public()
  @Answers(AnythingShape, 'application/zip')
  async archive(@Input(PackQuery) { name }: PackQuery, @Res() response: Response): Promise<void> {
    const archive = await this.archives.archive(name);
    response.set({
      'Content-Type': 'application/zip',
      'Content-Disposition': `attachment; filename="${name}.zip"`,
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-cache',
    });
    await pipeline(archive, response).catch(() => response.destroy()); // the client or the disk failed
  }

  @Summary('Copies a pack from another server.')
  @Post('download')
  @AdminOnly('admin:write')
  @Answers(TextShape)
  async download(@Input(DownloadPackBody) { url, name, as }: DownloadPackBody): Promise<Json> {
    await this.transfer.download(url, name, as || name);
    return Json.of(OK);
  }

  @Summary('Creates a pack from a ZIP archive.')
  @Post('download_zip')
  @AdminOnly('admin:write')
  @AcceptsFiles(ARCHIVE)
  @Answers(TextShape)
  async unpack(@Input(UnpackBody) { name, file, url }: UnpackBody): Promise<Json> {
    if (!file && url === '') throw new Invalid('file or url is missing');
    await this.transfer.unpack(name, file ?? url);
    return Json.of(OK);
  }
}

/** `C/emoji/packs/files` (spec §4.2): the emoji of one pack. */
@SvcApi('emoji/packs/files')
export class PackFilesController {
  constructor(private readonly files: PackFilesService) {}

  @Summary('Adds an emoji to a pack.')
  @Post()
  @AdminOnly('admin:write')
  @AcceptsFiles(ARCHIVE)
  @Answers(PackFilesShape)
  async add(@Input(NewFileBody) { name, file, shortcode, filename }: NewFileBody): Promise<Files> {
    if (file === undefined) throw new Invalid('file is missing');
    return filesJson(await this.files.add(name, { file, shortcode, filename }));
  }

  @Summary('Renames an emoji of a pack, or its file.')
  @Patch()
  @AdminOnly('admin:write')
  @Answers(PackFilesShape)
  async rename(@Input(FileChangesBody) input: FileChangesBody): Promise<Files> {
    const { name, shortcode, new_shortcode: newShortcode, new_filename: newFilename, force } = input;
    return filesJson(await this.files.rename(name, { shortcode, newShortcode, newFilename, force }));
  }

  @Summary('Removes an emoji from a pack.')
  @Delete()
  @AdminOnly('admin:write')
  @Answers(PackFilesShape)
  async remove(@Input(PackFileQuery) { name, shortcode }: PackFileQuery): Promise<Files> {
    return filesJson(await this.files.remove(name, shortcode));
  }
}
