import { Get, Header, Inject, Put, StreamableFile } from '@nestjs/common';
import {
  AcceptsFiles,
  Answers,
  CurrentAccount,
  Describe,
  FilePart,
  Input,
  Invalid,
  Json,
  Public,
  RootApi,
  Scopes,
  Summary,
  SvcApi,
  type UploadedFile,
} from '../../common/index.js';
import { ENV, type Env, readProjectFile } from '../../platform/index.js';
import type { AttachmentRow } from '../model/attachment.rows.js';
import { AttachmentView } from '../attachments/attachment.view.js';
import { MascotsService } from './mascots.service.js';
import { AttachmentShape } from '../attachments/attachment.shape.js';

const DEFAULT_FILE = 'mascot.png';
const CACHING = 'public, max-age=2592000'; // 30 days

/** The mascot of accounts that chose none. */
const DEFAULT: AttachmentRow = {
  id: '0',
  type: 'image',
  mimeType: 'image/png',
  fileKey: null,
  thumbnailKey: null,
  remoteUrl: null,
  remotePreviewUrl: null,
  width: 512,
  height: 512,
  duration: null,
  blurhash: null,
  description: '',
};

class MascotBody {
  @Describe('The picture.')
  @FilePart()
  file?: UploadedFile | null;
  @Describe('The older name of `file`.')
  @FilePart()
  image?: UploadedFile | null;
}

/** The caller's mascot (spec §4.2). */
@SvcApi('mascot')
export class MascotsController {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly mascots: MascotsService,
    private readonly view: AttachmentView,
  ) {}

  @Summary("Shows the caller's mascot, or that of the server.")
  @Get()
  @Scopes('read:accounts')
  @Answers(AttachmentShape)
  async show(@CurrentAccount() accountId: string): Promise<Json> {
    const row = await this.mascots.ofAccount(accountId);
    return Json.of(row ? this.view.one(row) : this.ofServer());
  }

  @Summary("Replaces the caller's mascot.")
  @Put()
  @Scopes('write:accounts')
  @AcceptsFiles({ maxBytes: { file: 'media', image: 'media' } })
  @Answers(AttachmentShape)
  async change(@CurrentAccount() accountId: string, @Input(MascotBody) { file, image }: MascotBody): Promise<Json> {
    const picture = file ?? image;
    if (!picture) throw new Invalid('file is missing');
    return Json.of(this.view.one(await this.mascots.change(accountId, picture)));
  }

  private ofServer(): Readonly<Record<string, unknown>> {
    const url = `${this.env.baseUrl}/images/${DEFAULT_FILE}`;
    return { ...this.view.one({ ...DEFAULT, remoteUrl: url }), remote_url: null };
  }
}

/** The picture of the server's own mascot. */
@RootApi('images')
export class MascotImageController {
  private readonly picture = readProjectFile(`assets/images/${DEFAULT_FILE}`);

  @Get(DEFAULT_FILE)
  @Public()
  @Header('Cache-Control', CACHING)
  show(): StreamableFile {
    return new StreamableFile(this.picture, { type: 'image/png', disposition: 'inline', length: this.picture.length });
  }
}
