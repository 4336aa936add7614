import { Delete, Get, Param, Post, Put } from '@nestjs/common';
import {
  AcceptsFiles,
  Answers,
  CurrentAccount,
  Describe,
  FilePart,
  Input,
  Invalid,
  Json,
  NothingShape,
  OptionalText,
  RateLimit,
  RootApi,
  Scopes,
  Summary,
  type UploadedFile,
} from '../../common/index.js';
import { AttachmentView } from './attachment.view.js';
import { AttachmentsService } from './attachments.service.js';
import { AttachmentShape } from './attachment.shape.js';

/** The service checks the limit, which is a live setting. The body is no longer than this. */
const ANY_LENGTH = 1_048_576;

class UploadBody {
  @Describe('The file.')
  @FilePart()
  file?: UploadedFile | null;
  @Describe('A picture for a video or a recording.')
  @FilePart()
  thumbnail?: UploadedFile | null;
  @Describe('The description for people who do not see the media.')
  @OptionalText({ max: ANY_LENGTH })
  description = '';
}

class MediaChangesBody {
  @Describe('The description for people who do not see the media.')
  @OptionalText({ max: ANY_LENGTH })
  description?: string;
  @Describe('A picture for a video or a recording, until the file is posted.')
  @FilePart()
  thumbnail?: UploadedFile | null;
}

/** Uploads for posts (spec §4.3). Versions 1 and 2 are equal: a file is ready at once. */
@RootApi('api')
export class MediaController {
  constructor(
    private readonly attachments: AttachmentsService,
    private readonly view: AttachmentView,
  ) {}

  @Summary('Uploads a file for a post; it is ready at once.')
  @Post(['v1/media', 'v2/media', 'v1/upload'])
  @Scopes('write:media')
  @RateLimit('uploads')
  @AcceptsFiles({ maxBytes: { file: 'media', thumbnail: 'media' } })
  @Answers(AttachmentShape)
  async upload(
    @CurrentAccount() accountId: string,
    @Input(UploadBody) { file, thumbnail, description }: UploadBody,
  ): Promise<Json> {
    if (!file) throw new Invalid('file is missing');
    return Json.of(this.view.one(await this.attachments.upload(accountId, file, { description, cover: thumbnail })));
  }

  @Summary("Shows one of the caller's uploads.")
  @Get('v1/media/:id')
  @Scopes('read:media')
  @Answers(AttachmentShape)
  async show(@CurrentAccount() accountId: string, @Param('id') id: string): Promise<Json> {
    return Json.of(this.view.one(await this.attachments.own(id, accountId)));
  }

  @Summary('Changes the description or the thumbnail of an upload.')
  @Put('v1/media/:id')
  @RateLimit('statuses_actions') // it may edit a post
  @Scopes('write:media')
  @AcceptsFiles({ maxBytes: { thumbnail: 'media' } })
  @Answers(AttachmentShape)
  async change(
    @CurrentAccount() accountId: string,
    @Param('id') id: string,
    @Input(MediaChangesBody) { description, thumbnail }: MediaChangesBody,
  ): Promise<Json> {
    return Json.of(this.view.one(await this.attachments.change(id, accountId, { description, cover: thumbnail })));
  }

  @Summary('Deletes an upload that no post uses.')
  @Delete('v1/media/:id')
  @Scopes('write:media')
  @Answers(NothingShape)
  async remove(@CurrentAccount() accountId: string, @Param('id') id: string): Promise<object> {
    await this.attachments.removeOwn(id, accountId);
    return {};
  }
}
