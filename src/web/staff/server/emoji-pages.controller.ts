import { Get, Param, Post } from '@nestjs/common';
import {
  AcceptsFiles,
  FilePart,
  Input,
  Invalid,
  OptionalText,
  type PageAnswer,
  type PageContent,
  PageNumber,
  RootApi,
  SignedIn,
  type UploadedFile,
} from '../../../common/index.js';
import { MAX_PICTURE_BYTES, PackFilesService, PacksService, PackTransferService } from '../../../emoji/index.js';
import type { Visit } from '../../frame/session-pages.js';
import { Visiting } from '../../frame/visiting.js';
import { StaffPages } from '../frame/staff-pages.js';
import type { Said } from '../parts/staff.part.js';
import { EMOJI_PATH, type PackDraft, packPage, packPath, packsPage } from './emoji.page.js';

const PACKS = 50;
const EMOJI = 60;
const MAX_NAME = 5_000; // the services report names that are too long
const PICTURES = { maxBytes: { file: MAX_PICTURE_BYTES } };

class EmojiPageQuery {
  @PageNumber() page = 1;
}

class PackFormBody {
  @OptionalText({ max: MAX_NAME }) name = '';
}

class PackCopyFormBody {
  @OptionalText({ max: MAX_NAME }) url = '';
  @OptionalText({ max: MAX_NAME }) remote_name = '';
}

class EmojiFormBody {
  @FilePart() file?: UploadedFile | null;
  @OptionalText({ max: MAX_NAME }) shortcode = '';
  @OptionalText({ max: MAX_NAME }) new_shortcode = '';
}

/** Custom emoji for the staff, by the services of the API. */
@RootApi('app/staff/emoji')
export class EmojiPagesController {
  constructor(
    private readonly pages: StaffPages,
    private readonly packs: PacksService,
    private readonly files: PackFilesService,
    private readonly transfer: PackTransferService,
  ) {}

  @Get()
  @SignedIn('admin:write')
  list(@Input(EmojiPageQuery) { page }: EmojiPageQuery, @Visiting() visit: Visit): Promise<PageAnswer> {
    return this.pages.open(visit, () => this.packsPage(visit, page));
  }

  @Get(':pack')
  @SignedIn('admin:write')
  show(
    @Param('pack') name: string,
    @Input(EmojiPageQuery) { page }: EmojiPageQuery,
    @Visiting() visit: Visit,
  ): Promise<PageAnswer> {
    return this.pages.open(visit, () => this.packPage(visit, name, page));
  }

  @Post()
  @SignedIn('admin:write')
  create(@Input(PackFormBody) body: PackFormBody, @Visiting() visit: Visit): Promise<PageAnswer> {
    const { name } = body;
    const create = async () => {
      await this.packs.create(name);
      return packPath(name);
    };
    return this.pages.submit(visit, create, (alarm) => this.packsPage(visit, 1, { alarm, name }));
  }

  /** Copies a pack of another server. */
  @Post('download')
  @SignedIn('admin:write')
  download(@Input(PackCopyFormBody) body: PackCopyFormBody, @Visiting() visit: Visit): Promise<PageAnswer> {
    const { url, remote_name: remoteName } = body;
    const copy = async () => {
      await this.transfer.download(url, remoteName, remoteName);
      return packPath(remoteName);
    };
    const retry = (alarm: string) => this.packsPage(visit, 1, { alarm, url, remoteName });
    return this.pages.submit(visit, copy, retry);
  }

  @Post(':pack/upload')
  @SignedIn('admin:write')
  @AcceptsFiles(PICTURES)
  upload(
    @Param('pack') pack: string,
    @Input(EmojiFormBody) body: EmojiFormBody,
    @Visiting() visit: Visit,
  ): Promise<PageAnswer> {
    const { file, shortcode } = body;
    const upload = async () => {
      if (!file) throw new Invalid('file is missing');
      await this.files.add(pack, { file, shortcode: shortcode || undefined });
      return packPath(pack);
    };
    const retry = (alarm: string) => this.packPage(visit, pack, 1, { alarm, shortcode });
    return this.pages.submit(visit, upload, retry);
  }

  /** Renames an emoji; its file stays as it is called. */
  @Post(':pack/rename')
  @SignedIn('admin:write')
  rename(
    @Param('pack') pack: string,
    @Input(EmojiFormBody) body: EmojiFormBody,
    @Visiting() visit: Visit,
  ): Promise<PageAnswer> {
    const { shortcode, new_shortcode: newShortcode } = body;
    const rename = async () => {
      const { files } = await this.packs.byName(pack);
      const newFilename = files.get(shortcode) ?? shortcode;
      await this.files.rename(pack, { shortcode, newShortcode, newFilename, force: false });
      return packPath(pack);
    };
    const retry = (alarm: string) => this.packPage(visit, pack, 1, { alarm });
    return this.pages.submit(visit, rename, retry);
  }

  @Post(':pack/remove')
  @SignedIn('admin:write')
  remove(
    @Param('pack') pack: string,
    @Input(EmojiFormBody) body: EmojiFormBody,
    @Visiting() visit: Visit,
  ): Promise<PageAnswer> {
    return this.pages.act(visit, () => this.files.remove(pack, body.shortcode));
  }

  @Post(':pack/delete')
  @SignedIn('admin:write')
  removePack(@Param('pack') pack: string, @Visiting() visit: Visit): Promise<PageAnswer> {
    return this.pages.act(visit, () => this.packs.remove(pack), EMOJI_PATH);
  }

  private async packsPage({ t, session }: Visit, page: number, draft?: PackDraft): Promise<PageContent> {
    const { packs, count } = await this.packs.page(page, PACKS);
    return packsPage(t, session, packs, { page, size: PACKS, total: count }, draft);
  }

  private async packPage(
    { t, session }: Visit,
    name: string,
    page: number,
    draft?: Said & { readonly shortcode?: string },
  ): Promise<PageContent> {
    return packPage(t, session, await this.packs.byName(name), { page, size: EMOJI }, draft);
  }
}
