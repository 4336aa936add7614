import { Get, Header, Param, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { type ApiRequest, prefersPage, Public, RateLimit, RootApi } from '../common/index.js';
import { type ApDocument, DocumentsService } from './documents.service.js';
import { LITEPUB_CONTEXT } from './render/context.js';
import { ACTIVITY_JSON } from './wire/uris.js';

const GONE = 410;

/** The documents other servers fetch (ActivityPub §3.2). Only what everybody may read is served without a signature. */
@RootApi('')
export class ApController {
  constructor(private readonly documents: DocumentsService) {}

  @Get('users/:nickname')
  @Public()
  @RateLimit('ap_routes')
  async actor(
    @Param('nickname') nickname: string,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    send(request, response, await this.documents.actor(nickname));
  }

  @Get('objects/:uuid')
  @Public()
  @RateLimit('ap_routes')
  async object(@Param('uuid') uuid: string, @Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    send(request, response, await this.documents.object(uuid));
  }

  @Get('schemas/litepub-0.1.jsonld')
  @Public()
  @Header('content-type', 'application/ld+json; charset=utf-8')
  @Header('cache-control', 'public, max-age=86400')
  context(): unknown {
    return LITEPUB_CONTEXT;
  }
}

/** Browsers are sent on to the page that says the same. */
function send(request: ApiRequest, response: Response, { body, gone, pageUrl }: ApDocument): void {
  response.set({ vary: 'Accept, Signature', 'cache-control': 'public, max-age=180' });
  if (pageUrl !== undefined && prefersPage(request)) {
    response.redirect(pageUrl);
    return;
  }
  response.status(gone ? GONE : 200).set('content-type', ACTIVITY_JSON);
  response.send(Buffer.from(JSON.stringify(body)));
}
