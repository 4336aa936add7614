import { Get, Header, Inject, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Input, Invalid, OptionalText, Public, RootApi } from '../common/index.js';
import { ENV, type Env } from '../platform/index.js';
import { DocumentsService } from './documents.service.js';

const RESOURCE_LENGTH = 2_048;

class WebfingerQuery {
  @OptionalText({ max: RESOURCE_LENGTH })
  resource?: string;
}

/** How other servers find accounts here: WebFinger (RFC 7033) and host-meta (RFC 6415). */
@RootApi('.well-known')
export class WellKnownController {
  constructor(
    private readonly documents: DocumentsService,
    @Inject(ENV) private readonly env: Env,
  ) {}

  @Get('webfinger')
  @Public()
  async webfinger(@Input(WebfingerQuery) { resource }: WebfingerQuery, @Res() response: Response): Promise<void> {
    if (!resource) throw new Invalid('Bad Request');
    const description = await this.documents.webfinger(resource);
    response.set({ 'content-type': 'application/jrd+json; charset=utf-8', 'cache-control': 'public, max-age=180' });
    response.send(Buffer.from(JSON.stringify(description)));
  }

  @Get('host-meta')
  @Public()
  @Header('content-type', 'application/xrd+xml; charset=utf-8')
  hostMeta(): string {
    const template = `${this.env.baseUrl}/.well-known/webfinger?resource={uri}`;
    return (
      '<?xml version="1.0" encoding="UTF-8"?>\n' +
      '<XRD xmlns="http://docs.oasis-open.org/ns/xri/xrd-1.0">' +
      `<Link rel="lrdd" template="${template}" type="application/jrd+json"/></XRD>\n`
    );
  }
}
