import { Get, Param, Post, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import {
  AcceptsFiles,
  type ApiRequest,
  FilePart,
  Input,
  Invalid,
  OptionalText,
  type PageContent,
  PageNumber,
  RootApi,
  SignedIn,
  type UploadedFile,
} from '../../../common/index.js';
import { MAX_PICTURE_BYTES, PackFilesService, PacksService, PackTransferService } from '../../../emoji/index.js';
import { SentFormBody } from '../../frame/sent-form.dto.js';
import { StaffPages, type StaffVisit } from '../frame/staff-pages.js';
import type { Said } from '../parts/staff.part.js';
import { EMOJI_PATH, type PackDraft, packPage, packPath, packsPage } from './emoji.page.js';

const PACKS = 50;
const EMOJI = 60;
const MAX_NAME = 5_000; // the services report names that are too long
const PICTURES = { maxBytes: { file: MAX_PICTURE_BYTES } };

class EmojiPageQuery {
  @PageNumber() page = 1;
}

class PackFormBody extends SentFormBody {
  @OptionalText({ max: MAX_NAME }) name = '';
}

class PackCopyFormBody extends SentFormBody {
  @OptionalText({ max: MAX_NAME }) url = '';
  @OptionalText({ max: MAX_NAME }) remote_name = '';
}

class EmojiFormBody extends SentFormBody {
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
  list(
    @Input(EmojiPageQuery) { page }: EmojiPageQuery,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    return this.pages.open(request, response, (visit) => this.packsPage(visit, page));
  }

  @Get(':pack')
  @SignedIn('admin:write')
  show(
    @Param('pack') name: string,
    @Input(EmojiPageQuery) { page }: EmojiPageQuery,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    return this.pages.open(request, response, (visit) => this.packPage(visit, name, page));
  }

  @Post()
  @SignedIn('admin:write')
  create(
    @Input(PackFormBody) body: PackFormBody,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    const { name } = body;
    const create = async () => {
      await this.packs.create(name);
      return packPath(name);
    };
    return this.pages.submit(request, response, body, create, (visit, alarm) =>
      this.packsPage(visit, 1, { alarm, name }),
    );
  }

  /** Copies a pack of another server. */
  @Post('download')
  @SignedIn('admin:write')
  download(
    @Input(PackCopyFormBody) body: PackCopyFormBody,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    const { url, remote_name: remoteName } = body;
    const copy = async () => {
      await this.transfer.download(url, remoteName, remoteName);
      return packPath(remoteName);
    };
    const retry = (visit: StaffVisit, alarm: string) => this.packsPage(visit, 1, { alarm, url, remoteName });
    return this.pages.submit(request, response, body, copy, retry);
  }

  @Post(':pack/upload')
  @SignedIn('admin:write')
  @AcceptsFiles(PICTURES)
  upload(
    @Param('pack') pack: string,
    @Input(EmojiFormBody) body: EmojiFormBody,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    const { file, shortcode } = body;
    const upload = async () => {
      if (!file) throw new Invalid('file is missing');
      await this.files.add(pack, { file, shortcode: shortcode || undefined });
      return packPath(pack);
    };
    const retry = (visit: StaffVisit, alarm: string) => this.packPage(visit, pack, 1, { alarm, shortcode });
    return this.pages.submit(request, response, body, upload, retry);
  }

  /** Renames an emoji; its file stays as it is called. */
  @Post(':pack/rename')
  @SignedIn('admin:write')
  rename(
    @Param('pack') pack: string,
    @Input(EmojiFormBody) body: EmojiFormBody,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    const { shortcode, new_shortcode: newShortcode } = body;
    const rename = async () => {
      const { files } = await this.packs.byName(pack);
      const newFilename = files.get(shortcode) ?? shortcode;
      await this.files.rename(pack, { shortcode, newShortcode, newFilename, force: false });
      return packPath(pack);
    };
    const retry = (visit: StaffVisit, alarm: string) => this.packPage(visit, pack, 1, { alarm });
    return this.pages.submit(request, response, body, rename, retry);
  }

  @Post(':pack/remove')
  @SignedIn('admin:write')
  remove(
    @Param('pack') pack: string,
    @Input(EmojiFormBody) body: EmojiFormBody,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    return this.pages.act(request, response, body, () => this.files.remove(pack, body.shortcode));
  }

  @Post(':pack/delete')
  @SignedIn('admin:write')
  removePack(
    @Param('pack') pack: string,
    @Input(SentFormBody) body: SentFormBody,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    body.return_to = EMOJI_PATH;
    return this.pages.act(request, response, body, () => this.packs.remove(pack));
  }

  private async packsPage({ t, session }: StaffVisit, page: number, draft?: PackDraft): Promise<PageContent> {
    const { packs, count } = await this.packs.page(page, PACKS);
    return packsPage(t, session, packs, { page, size: PACKS, total: count }, draft);
  }

  private async packPage(
    { t, session }: StaffVisit,
    name: string,
    page: number,
    draft?: Said & { readonly shortcode?: string },
  ): Promise<PageContent> {
    return packPage(t, session, await this.packs.byName(name), { page, size: EMOJI }, draft);
  }
}
