import { Get, Header, Inject, Param, Req, Res, UseGuards } from '@nestjs/common';
import type { Response } from 'express';
import {
  activityUri,
  type ApiRequest,
  NotFound,
  objectUri,
  prefersPage,
  Public,
  quoteApprovalUri,
  RateLimit,
  RootApi,
} from '../../common/index.js';
import { ENV, type Env, isFlakeId } from '../../platform/index.js';
import { idsIn, sendDocument } from './ap-answer.js';
import { CLOSED, DocumentAccess } from './document-access.js';
import { DocumentReaders } from './document-readers.js';
import { type ApDocument, DocumentsService } from './documents.service.js';
import { keyDocument } from '../render/actor.js';
import { LITEPUB_CONTEXT } from '../render/context.js';
import { FederatingGuard, HasPage } from '../signatures/federating.guard.js';

interface StatusParams {
  readonly nickname: string;
  readonly id: string;
}

/** The documents other servers fetch (ActivityPub §3.2). Unsigned requests get public documents only. */
@RootApi('')
@UseGuards(FederatingGuard)
export class ApController {
  constructor(
    private readonly documents: DocumentsService,
    private readonly access: DocumentAccess,
    private readonly readers: DocumentReaders,
    @Inject(ENV) private readonly env: Env,
  ) {}

  /**
   * A reader without access to the profile still gets the key, which other servers need to verify signatures. The id of an
   * account, of any server, leads to its page or its document.
   */
  @Get('users/:nickname')
  @Public()
  @HasPage()
  @RateLimit('ap_routes')
  async actor(
    @Param('nickname') nickname: string,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    const named = isFlakeId(nickname) ? await this.documents.addressesOf(nickname) : undefined;
    if (named && (this.access.isOpen('actor') || (await this.access.signerOf(request)) !== undefined)) {
      response.vary('Accept').redirect(prefersPage(request) ? named.page : named.document);
      return;
    }
    const document = await this.documents.actor(nickname);
    if (document.gone || this.access.isOpen('actor')) {
      this.answer(request, response, document);
      return;
    }
    const isWhole = (await this.access.signerOf(request)) !== undefined;
    this.answer(request, response.set(CLOSED), isWhole ? document : { ...document, body: keyDocument(document.body) });
  }

  @Get('objects/:uuid')
  @Public()
  @HasPage()
  @RateLimit('ap_routes')
  async object(@Param('uuid') uuid: string, @Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    await this.send(uuid, request, response, (readerId) => this.documents.object(uuid, readerId));
  }

  /** The Create of a post. */
  @Get('objects/:uuid/activity')
  @Public()
  @HasPage()
  @RateLimit('ap_routes')
  async creation(@Param('uuid') uuid: string, @Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    await this.send(uuid, request, response, (readerId) => this.documents.creation(uuid, readerId));
  }

  /** A public activity. */
  @Get('activities/:uuid')
  @Public()
  @RateLimit('ap_routes')
  async activity(@Param('uuid') uuid: string, @Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    await this.access.requireOf(activityUri(this.env.baseUrl, uuid), request, response);
    sendDocument(request, response, await this.documents.activity(uuid));
  }

  /** The consent of an author here to a quote (FEP-044f). */
  @Get('quotes/:uuid')
  @Public()
  @RateLimit('ap_routes')
  async quoteApproval(
    @Param('uuid') uuid: string,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    await this.access.requireOf(quoteApprovalUri(this.env.baseUrl, uuid), request, response);
    sendDocument(request, response, await this.documents.quoteApproval(uuid));
  }

  /** Addresses of posts as some other servers write them. */
  @Get('users/:nickname/statuses/:id')
  @Public()
  @HasPage()
  @RateLimit('ap_routes')
  async status(@Param() path: StatusParams, @Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    await this.access.requireOf(path.nickname, request, response, { hasPage: true });
    this.answer(request, response, await this.documents.status(path.nickname, path.id));
  }

  @Get('users/:nickname/statuses/:id/activity')
  @Public()
  @HasPage()
  @RateLimit('ap_routes')
  async statusCreation(
    @Param() path: StatusParams,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    await this.access.requireOf(path.nickname, request, response, { hasPage: true });
    const { body } = await this.documents.status(path.nickname, path.id);
    this.answer(request, response, await this.documents.creation(String(body['id']).split('/').at(-1) ?? ''));
  }

  @Get('schemas/litepub-0.1.jsonld')
  @Public()
  @Header('content-type', 'application/ld+json; charset=utf-8')
  @Header('cache-control', 'public, max-age=86400')
  context(): unknown {
    return LITEPUB_CONTEXT;
  }

  /** Posts that are not public are served to readers whose signature proves that they may see them. */
  private async send(
    uuid: string,
    request: ApiRequest,
    response: Response,
    load: (readerId: string) => Promise<ApDocument>,
  ): Promise<void> {
    const uri = objectUri(this.env.baseUrl, uuid);
    const readerId = await this.access.requireOf(uri, request, response, { hasPage: true });
    try {
      this.answer(request, response, await load(readerId ?? ''));
    } catch (error) {
      response.set(CLOSED);
      const signer = readerId === undefined ? await this.access.signerOf(request) : undefined;
      if (!(error instanceof NotFound) || !signer) throw error;
      this.answer(request, response, await load(signer));
    }
  }

  /** Sends a document whose deletion its readers learn of. */
  private answer(request: ApiRequest, response: Response, document: ApDocument): void {
    sendDocument(request, response, document);
    this.readers.remember(request, response, idsIn(document.body));
  }
}
