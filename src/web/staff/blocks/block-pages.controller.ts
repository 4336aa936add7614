import { Get, Post, Res } from '@nestjs/common';
import type { Response } from 'express';
import { HostModerationService, InstanceDeletionService } from '../../../admin/index.js';
import {
  AcceptsFiles,
  Input,
  Invalid,
  type PageAnswer,
  RootApi,
  SignedIn,
  UploadedFile,
} from '../../../common/index.js';
import { HostBlocksService } from '../../../federation/index.js';
import type { Visit } from '../../frame/session-pages.js';
import { Visiting } from '../../frame/visiting.js';
import { StaffPages } from '../frame/staff-pages.js';
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
  list(@Visiting() visit: Visit): Promise<PageAnswer> {
    return this.pages.open(visit, () => this.page(visit));
  }

  /** The effect of a block, before it is made. */
  @Get('preview')
  @SignedIn('admin:read')
  preview(@Input(BlockQuery) query: BlockQuery, @Visiting() visit: Visit): Promise<PageAnswer> {
    return this.pages.open(visit, async ({ t, session }) => {
      const block = blockOf(query);
      return blockPreviewPage(t, session, query, block, await this.blocks.preview(block.host));
    });
  }

  @Post()
  @SignedIn('admin:write')
  add(@Input(BlockBody) body: BlockBody, @Visiting() visit: Visit): Promise<PageAnswer> {
    const add = async ({ auth }: Visit) => {
      const block = blockOf(body);
      if (block.lists.length === 0) throw new Invalid('severity is missing');
      await this.moderation.add(auth, block);
      return BLOCKS_PATH;
    };
    const retry = (alarm: string) => this.page(visit, { alarm, typed: body });
    return this.pages.submit(visit, add, retry);
  }

  @Post('remove')
  @SignedIn('admin:write')
  remove(@Input(HostBody) body: HostBody, @Visiting() visit: Visit): Promise<PageAnswer> {
    return this.pages.act(visit, ({ auth }) => this.moderation.remove(auth, body.host));
  }

  /** Orders the deletion of the accounts that the preview of a block counts; jobs do it. */
  @Post('delete_accounts')
  @SignedIn('admin:write:accounts')
  deleteAccounts(@Input(HostBody) body: HostBody, @Visiting() visit: Visit): Promise<PageAnswer> {
    return this.pages.act(visit, ({ auth }) => this.deletion.orderBlocked(auth, body.host));
  }

  /** All blocks as CSV, in the form that Mastodon reads. */
  @Get('export')
  @SignedIn('admin:read')
  export(@Res() response: Response): void {
    response.type('text/csv').attachment('blocks.csv').send(this.blocks.export());
  }

  @Get('import')
  @SignedIn('admin:write')
  importForm(@Visiting() visit: Visit): Promise<PageAnswer> {
    return this.pages.open(visit, ({ t, session }) => importPage(t, session));
  }

  /** Shows first what a list adds, and adds it once the sender has seen that. */
  @Post('import')
  @SignedIn('admin:write')
  @AcceptsFiles(LIST_FILES)
  import(@Input(BlockListBody) body: BlockListBody, @Visiting() visit: Visit): Promise<PageAnswer> {
    const { list = '', confirmed } = body;
    const text = () => (list instanceof UploadedFile ? list.text() : Promise.resolve(list));
    const read = async ({ t, session, auth }: Visit) => {
      if (!confirmed)
        return importPage(t, session, { preview: { text: await text(), missing: this.blocks.missing(await text()) } });
      await this.moderation.import(auth, await text());
      return BLOCKS_PATH;
    };
    const retry = async (alarm: string, { t, session }: Visit) =>
      importPage(t, session, { alarm, typed: await text() });
    return this.pages.submit(visit, read, retry);
  }

  private page({ t, may }: Visit, said?: { readonly alarm: string; readonly typed: BlockFields }) {
    const shown = { blocks: this.blocks.list(), areEnforced: this.blocks.areEnforced() };
    return blocksPage(t, shown, may('admin:write'), said);
  }
}
