import { Get, Post, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { HostModerationService, InstanceDeletionService } from '../../../admin/index.js';
import {
  AcceptsFiles,
  type ApiRequest,
  Input,
  Invalid,
  RootApi,
  SignedIn,
  UploadedFile,
} from '../../../common/index.js';
import { HostBlocksService } from '../../../federation/index.js';
import { StaffPages, type StaffVisit } from '../frame/staff-pages.js';
import { blockOf, type BlockFields, BlockBody, BlockListBody, BlockQuery, HostBody } from './blocks.dto.js';
import { blockPreviewPage, BLOCKS_PATH, blocksPage, importPage } from './blocks.page.js';

const LIST_FILES = { maxBytes: { list: 1_048_576 } };

/** Blocks of other servers: the lists of SimplePolicy, as settings have them. */
@RootApi('app/staff/blocks')
export class BlockPagesController {
  constructor(
    private readonly pages: StaffPages,
    private readonly blocks: HostBlocksService,
    private readonly moderation: HostModerationService,
    private readonly deletion: InstanceDeletionService,
  ) {}

  @Get()
  @SignedIn('admin:read')
  list(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    return this.pages.open(request, response, (visit) => Promise.resolve(this.page(visit)));
  }

  /** The effect of a block, before it is made. */
  @Get('preview')
  @SignedIn('admin:read')
  preview(@Input(BlockQuery) query: BlockQuery, @Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    return this.pages.open(request, response, async ({ t, session }) => {
      const block = blockOf(query);
      return blockPreviewPage(t, session, query, block, await this.blocks.preview(block.host));
    });
  }

  @Post()
  @SignedIn('admin:write')
  add(@Input(BlockBody) body: BlockBody, @Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    const add = async ({ auth }: StaffVisit) => {
      const block = blockOf(body);
      if (block.lists.length === 0) throw new Invalid('severity is missing');
      await this.moderation.add(auth, block);
      return BLOCKS_PATH;
    };
    const retry = (visit: StaffVisit, alarm: string) => Promise.resolve(this.page(visit, { alarm, typed: body }));
    return this.pages.submit(request, response, body, add, retry);
  }

  @Post('remove')
  @SignedIn('admin:write')
  remove(@Input(HostBody) body: HostBody, @Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    return this.pages.act(request, response, body, ({ auth }) => this.moderation.remove(auth, body.host));
  }

  /** Orders the deletion of all accounts of a server; jobs do it. */
  @Post('delete_accounts')
  @SignedIn('admin:write:accounts')
  deleteAccounts(
    @Input(HostBody) body: HostBody,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    return this.pages.act(request, response, body, ({ auth }) => this.deletion.order(auth, body.host));
  }

  /** All blocks as CSV, in the form that Mastodon reads. */
  @Get('export')
  @SignedIn('admin:read')
  export(@Res() response: Response): void {
    response.type('text/csv').attachment('blocks.csv').send(this.blocks.export());
  }

  @Get('import')
  @SignedIn('admin:write')
  importForm(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    return this.pages.open(request, response, ({ t, session }) => Promise.resolve(importPage(t, session)));
  }

  /** Shows first what a list adds, and adds it once the sender has seen that. */
  @Post('import')
  @SignedIn('admin:write')
  @AcceptsFiles(LIST_FILES)
  import(
    @Input(BlockListBody) body: BlockListBody,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    const { list = '', confirmed } = body;
    const text = () => (list instanceof UploadedFile ? list.text() : Promise.resolve(list));
    const read = async ({ t, session, auth }: StaffVisit) => {
      if (!confirmed)
        return importPage(t, session, { preview: { text: await text(), missing: this.blocks.missing(await text()) } });
      await this.moderation.import(auth, await text());
      return BLOCKS_PATH;
    };
    const retry = async ({ t, session }: StaffVisit, alarm: string) =>
      importPage(t, session, { alarm, typed: await text() });
    return this.pages.submit(request, response, body, read, retry);
  }

  private page({ t, may }: StaffVisit, said?: { readonly alarm: string; readonly typed: BlockFields }) {
    return blocksPage(t, this.blocks.list(), may('admin:write'), said);
  }
}
