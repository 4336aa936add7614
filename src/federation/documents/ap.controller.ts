import { Get, Header, Param, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import {
  type ApiRequest,
  NotFound,
  prefersPage,
  Public,
  RateLimit,
  RootApi,
  Unauthorized,
} from '../../common/index.js';
import { isFlakeId } from '../../platform/index.js';
import { DocumentAccess } from './document-access.js';
import { type ApDocument, DocumentsService } from './documents.service.js';
import { keyDocument } from '../render/actor.js';
import { LITEPUB_CONTEXT } from '../render/context.js';
import { ACTIVITY_JSON } from '../wire/uris.js';

const GONE = 410;

/** The headers of answers that differ between readers. */
const CLOSED = { vary: 'Accept, Signature', 'cache-control': 'private, no-store' };

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
    if (document.gone || this.access.permits('actor')) send(request, response, document);
    else send(request, response.set(CLOSED), { ...document, body: keyDocument(document.body) });
  }

  /** Refuses a reader without access to posts before the lookup, so that the answer does not reveal whether the post exists. */
  @Get('objects/:uuid')
  @Public()
  @RateLimit('ap_routes')
  async object(@Param('uuid') uuid: string, @Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    if (!this.access.permits('note')) {
      response.set(CLOSED);
      throw prefersPage(request) ? new NotFound('Not found') : new Unauthorized('This resource requires a signature');
    }
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

/** Redirects browsers to the page of the same content. */
function send(request: ApiRequest, response: Response, { body, gone, pageUrl }: ApDocument): void {
  response.vary('Accept, Signature');
  if (!response.hasHeader('cache-control')) response.set('cache-control', 'public, max-age=180');
  if (pageUrl !== undefined && prefersPage(request)) {
    response.redirect(pageUrl);
    return;
  }
  response.status(gone ? GONE : 200).set('content-type', ACTIVITY_JSON);
  response.send(Buffer.from(JSON.stringify(body)));
}
