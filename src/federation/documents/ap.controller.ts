import { Get, Header, Param, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { type ApiRequest, prefersPage, Public, RateLimit, RootApi } from '../../common/index.js';
import { isFlakeId } from '../../platform/index.js';
import { CLOSED, requireAccess, sendDocument } from './ap-answer.js';
import { DocumentAccess } from './document-access.js';
import { DocumentsService } from './documents.service.js';
import { keyDocument } from '../render/actor.js';
import { LITEPUB_CONTEXT } from '../render/context.js';

interface StatusPath {
  readonly nickname: string;
  readonly id: string;
}

/** The documents other servers fetch (ActivityPub §3.2). Unsigned requests get public documents only. */
@RootApi('')
export class ApController {
  constructor(
    private readonly documents: DocumentsService,
    private readonly access: DocumentAccess,
  ) {}

  /**
   * A reader without access to the profile still gets the key, which other servers need to verify signatures. The id of an
   * account, of any server, leads to its page or its document.
   */
  @Get('users/:nickname')
  @Public()
  @RateLimit('ap_routes')
  async actor(
    @Param('nickname') nickname: string,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    const named = isFlakeId(nickname) ? await this.documents.addressesOf(nickname) : undefined;
    if (named) {
      response.vary('Accept').redirect(prefersPage(request) ? named.page : named.document);
      return;
    }
    const document = await this.documents.actor(nickname);
    if (document.gone || this.access.permits('actor')) sendDocument(request, response, document);
    else sendDocument(request, response.set(CLOSED), { ...document, body: keyDocument(document.body) });
  }

  @Get('objects/:uuid')
  @Public()
  @RateLimit('ap_routes')
  async object(@Param('uuid') uuid: string, @Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    requireAccess(this.access, request, response);
    sendDocument(request, response, await this.documents.object(uuid));
  }

  /** The Create of a post. */
  @Get('objects/:uuid/activity')
  @Public()
  @RateLimit('ap_routes')
  async creation(@Param('uuid') uuid: string, @Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    requireAccess(this.access, request, response);
    sendDocument(request, response, await this.documents.creation(uuid));
  }

  /** An activity that everybody may see. */
  @Get('activities/:uuid')
  @Public()
  @RateLimit('ap_routes')
  async activity(@Param('uuid') uuid: string, @Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    requireAccess(this.access, request, response);
    sendDocument(request, response, await this.documents.activity(uuid));
  }

  /** Addresses of posts as some other servers write them. */
  @Get('users/:nickname/statuses/:id')
  @Public()
  @RateLimit('ap_routes')
  async status(@Param() path: StatusPath, @Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    requireAccess(this.access, request, response);
    sendDocument(request, response, await this.documents.status(path.nickname, path.id));
  }

  @Get('users/:nickname/statuses/:id/activity')
  @Public()
  @RateLimit('ap_routes')
  async statusCreation(
    @Param() path: StatusPath,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    requireAccess(this.access, request, response);
    const { body } = await this.documents.status(path.nickname, path.id);
    sendDocument(request, response, await this.documents.creation(String(body['id']).split('/').at(-1) ?? ''));
  }

  @Get('schemas/litepub-0.1.jsonld')
  @Public()
  @Header('content-type', 'application/ld+json; charset=utf-8')
  @Header('cache-control', 'public, max-age=86400')
  context(): unknown {
    return LITEPUB_CONTEXT;
  }
}
