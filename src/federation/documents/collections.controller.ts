import { Get, Param, Req, Res, UseGuards } from '@nestjs/common';
import type { Response } from 'express';
import { type ApiRequest, Input, OptionalId, OptionalText, Public, RateLimit, RootApi } from '../../common/index.js';
import { idsIn, sendDocument } from './ap-answer.js';
import { type AccountsPage, CollectionsService } from './collections.service.js';
import { DocumentAccess } from './document-access.js';
import { DocumentReaders } from './document-readers.js';
import { FederatingGuard } from '../signatures/federating.guard.js';

const PAGE_LENGTH = 10;

/** Asks for a page; without `page` the answer is the overview. */
class CollectionQuery {
  /** Any word; a number in older addresses of collections of accounts. */
  @OptionalText({ max: PAGE_LENGTH })
  page?: string;

  @OptionalId()
  max_id?: string;

  @OptionalId()
  min_id?: string;

  /** The page of accounts. An id wins over a number; other words alone mean the first page. */
  get accounts(): AccountsPage | undefined {
    if (!this.page) return undefined;
    if (this.max_id !== undefined) return { below: this.max_id };
    return /^\d+$/.test(this.page) ? { number: Math.max(Number(this.page), 1) } : {};
  }
}

/** The collections other servers fetch (ActivityPub §5). Each shows what anonymous readers may see. */
@RootApi('')
@UseGuards(FederatingGuard)
export class CollectionsController {
  constructor(
    private readonly collections: CollectionsService,
    private readonly access: DocumentAccess,
    private readonly readers: DocumentReaders,
  ) {}

  @Get('users/:nickname/outbox')
  @Public()
  @RateLimit('ap_routes')
  async outbox(
    @Param('nickname') nickname: string,
    @Input(CollectionQuery) { page, max_id }: CollectionQuery,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    await this.access.requireOf(nickname, request, response);
    this.sendStatuses(request, response, await this.collections.outbox(nickname, Boolean(page), max_id));
  }

  @Get('users/:nickname/followers')
  @Public()
  @RateLimit('ap_routes')
  async followers(
    @Param('nickname') nickname: string,
    @Input(CollectionQuery) query: CollectionQuery,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    await this.related('followers', nickname, query, request, response);
  }

  @Get('users/:nickname/following')
  @Public()
  @RateLimit('ap_routes')
  async following(
    @Param('nickname') nickname: string,
    @Input(CollectionQuery) query: CollectionQuery,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    await this.related('following', nickname, query, request, response);
  }

  /** The followers on the server of the signer, which it compares with those it knows of (FEP-8fcf). */
  @Get('users/:nickname/followers_synchronization')
  @Public()
  @RateLimit('ap_routes')
  async followersOfSigner(
    @Param('nickname') nickname: string,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    const host = await this.access.requireHost(request, response);
    send(request, response, await this.collections.followersOn(nickname, host));
  }

  @Get('users/:nickname/collections/featured')
  @Public()
  @RateLimit('ap_routes')
  async featured(
    @Param('nickname') nickname: string,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    await this.access.requireOf(nickname, request, response);
    this.sendStatuses(request, response, await this.collections.featured(nickname));
  }

  @Get('contexts/:uuid')
  @Public()
  @RateLimit('ap_routes')
  async context(
    @Param('uuid') uuid: string,
    @Input(CollectionQuery) { page, min_id }: CollectionQuery,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    await this.access.require(request, response);
    send(request, response, await this.collections.context(uuid, Boolean(page), min_id));
  }

  @Get('objects/:uuid/replies')
  @Public()
  @RateLimit('ap_routes')
  async replies(
    @Param('uuid') uuid: string,
    @Input(CollectionQuery) { page, min_id }: CollectionQuery,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    await this.access.requireOf(this.collections.noteUri(uuid), request, response);
    send(request, response, await this.collections.replies(uuid, Boolean(page), min_id));
  }

  /** Sends a collection that may hold whole posts. */
  private sendStatuses(request: ApiRequest, response: Response, body: Record<string, unknown>): void {
    send(request, response, body);
    if (Array.isArray(body['orderedItems'])) this.readers.remember(request, response, idsIn(body));
  }

  /** Hides profiles for members only from readers without a signature. The overview names none. */
  private async related(
    which: 'followers' | 'following',
    nickname: string,
    query: CollectionQuery,
    request: ApiRequest,
    response: Response,
  ): Promise<void> {
    const options = { kind: 'actor', listsProfiles: query.accounts !== undefined } as const;
    const readerId = await this.access.requireOf(nickname, request, response, options);
    const isSigned = readerId !== undefined;
    send(request, response, await this.collections.related(which, nickname, isSigned, query.accounts));
  }
}

function send(request: ApiRequest, response: Response, body: Record<string, unknown>): void {
  sendDocument(request, response, { body, gone: false });
}
