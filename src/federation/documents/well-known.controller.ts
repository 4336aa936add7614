import { Get, Inject, Req, Res, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';
import {
  Describe,
  TextShape,
  AnythingShape,
  Answers,
  Input,
  Invalid,
  OptionalText,
  preferredType,
  Public,
  RootApi,
  sendBytes,
  Summary,
} from '../../common/index.js';
import { ENV, type Env } from '../../platform/index.js';
import { DocumentsService } from './documents.service.js';
import { type ResourceDescription, xrdDocument } from '../render/xrd.js';
import { FederatingGuard } from '../signatures/federating.guard.js';

const RESOURCE_LENGTH = 2_048;
const JRD = 'application/jrd+json';
const XRD = 'application/xrd+xml';
/** In the order of preference of this server. */
const WEBFINGER_TYPES = [JRD, 'json', XRD];
const HOST_META_TYPES = [XRD, 'application/xml', JRD, 'json'];

class WebfingerQuery {
  @Describe('The handle as `acct:…`, or the address of the account.')
  @OptionalText({ max: RESOURCE_LENGTH })
  resource?: string;
}

/** Account lookup for other servers: WebFinger (RFC 7033) and host-meta (RFC 6415). */
@RootApi('.well-known')
@UseGuards(FederatingGuard)
export class WellKnownController {
  constructor(
    private readonly documents: DocumentsService,
    @Inject(ENV) private readonly env: Env,
  ) {}

  @Summary('Describes an account by its handle or address, for other servers (RFC 7033).')
  @Get('webfinger')
  @Public()
  @Answers(AnythingShape, JRD)
  async webfinger(
    @Input(WebfingerQuery) { resource }: WebfingerQuery,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    if (!resource) throw new Invalid('Bad Request');
    const { description, bytes } = await this.documents.webfinger(resource);
    const isXml = preferredType(request, WEBFINGER_TYPES) === XRD;
    response.vary('Accept').setHeader('cache-control', 'public, max-age=180');
    response.setHeader('content-type', `${isXml ? XRD : JRD}; charset=utf-8`);
    sendBytes(response, isXml ? Buffer.from(xrdDocument(description)) : bytes);
  }

  /** XRD, or JSON for clients that prefer it. */
  @Summary('Names the address of WebFinger, as XRD or JSON (RFC 6415).')
  @Get('host-meta')
  @Public()
  @Answers(TextShape, XRD)
  hostMeta(@Req() request: Request, @Res() response: Response): void {
    const type = preferredType(request, HOST_META_TYPES);
    response.vary('Accept');
    if (type === JRD || type === 'json') this.hostMetaJson(response);
    else response.set('content-type', `${XRD}; charset=utf-8`).send(Buffer.from(xrdDocument(this.hostDescription())));
  }

  @Summary('Names the address of WebFinger, as JSON (RFC 6415).')
  @Get('host-meta.json')
  @Public()
  @Answers(AnythingShape, JRD)
  hostMetaJson(@Res() response: Response): void {
    response.set('content-type', `${JRD}; charset=utf-8`).send(Buffer.from(JSON.stringify(this.hostDescription())));
  }

  private hostDescription(): ResourceDescription {
    const template = `${this.env.baseUrl}/.well-known/webfinger?resource={uri}`;
    return { links: [{ rel: 'lrdd', template, type: JRD }] };
  }
}
