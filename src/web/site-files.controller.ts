import { Get, Header, Inject } from '@nestjs/common';
import { Type } from 'typebox';
import {
  Answers,
  brandKey,
  Describe,
  escapeHtml,
  Input,
  NotFound,
  Public,
  RequiredText,
  RootApi,
  Summary,
  SvcApi,
} from '../common/index.js';
import { ConfigurationService, Settings } from '../config/index.js';
import { type DocumentName, InstanceDocumentsService, shortDescription } from '../instance/index.js';
import { Brand, ENV, type Env } from '../platform/index.js';
import { type OembedJson, oembedOf, OembedShape } from './visitors/oembed.js';
import { VisitorsService } from './visitors/visitors.service.js';

const HTML = 'text/html; charset=utf-8';
const A_WHILE = 'public, max-age=300';
const MAX_URL = 2_000;
/** Paths without use for search engines. */
const NOT_FOR_ROBOTS = ['/api/', '/auth/', '/oauth/', '/proxy/'];

/** Settings by the names of frontends: each decides what is in it. */
const FrontendsShape = Type.Record(Type.String(), Type.Unknown(), { title: 'FrontendConfigurations' });

class OembedQuery {
  @Describe('The address of the post.')
  @RequiredText({ max: MAX_URL })
  url: string;
}

/** Settings of frontends (spec §4.2). */
@SvcApi('frontend_configurations')
export class FrontendConfigurationsController {
  constructor(private readonly configuration: ConfigurationService) {}

  @Summary('Lists the settings of frontends by their names.')
  @Get()
  @Public()
  @Answers(FrontendsShape)
  list(): Promise<Record<string, unknown>> {
    return this.configuration.frontends();
  }
}

/** Files that browsers, search engines and other sites request. */
@RootApi('')
export class SiteFilesController {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly brand: Brand,
    private readonly settings: Settings,
    private readonly configuration: ConfigurationService,
    private readonly documents: InstanceDocumentsService,
    private readonly visitors: VisitorsService,
  ) {}

  @Get('robots.txt')
  @Public()
  @Header('Content-Type', 'text/plain; charset=utf-8')
  @Header('Cache-Control', A_WHILE)
  robots(): string {
    const closed = this.settings.get('instance.public') ? NOT_FOR_ROBOTS : ['/'];
    return ['User-agent: *', ...closed.map((path) => `Disallow: ${path}`), ''].join('\n');
  }

  /** The description of the site as an app that can be installed. */
  @Get('manifest.json')
  @Public()
  @Header('Content-Type', 'application/manifest+json; charset=utf-8')
  @Header('Cache-Control', A_WHILE)
  manifest(): string {
    const name = this.settings.get('instance.name');
    return JSON.stringify({
      name,
      short_name: name,
      description: shortDescription(this.settings),
      start_url: '/',
      scope: '/',
      display: 'standalone',
      icons: [{ src: '/favicon.png', type: 'image/png', sizes: 'any' }],
    });
  }

  /** The settings of the main frontend. */
  @Get('static/config.json')
  @Public()
  async frontend(): Promise<unknown> {
    const configurations = await this.configuration.frontends();
    return configurations[brandKey(this.brand.word, 'svc_fe')] ?? {};
  }

  @Get('static/terms-of-service.html')
  @Public()
  @Header('Content-Type', HTML)
  terms(): Promise<string> {
    return this.document('terms-of-service', 'There are no terms of service yet.');
  }

  @Get('static/privacy-policy.html')
  @Public()
  @Header('Content-Type', HTML)
  privacy(): Promise<string> {
    return this.document('privacy-policy', 'There is no privacy policy yet.');
  }

  @Get('instance/panel.html')
  @Public()
  @Header('Content-Type', HTML)
  panel(): Promise<string> {
    return this.document('instance-panel', shortDescription(this.settings));
  }

  /** A post of this server as other sites embed it (oEmbed). */
  @Summary('Describes how another site embeds a public post (oEmbed).')
  @Get('api/oembed')
  @Public()
  @Answers(OembedShape)
  @Header('Cache-Control', A_WHILE)
  async oembed(@Input(OembedQuery) { url }: OembedQuery): Promise<OembedJson> {
    const { baseUrl } = this.env;
    const id = url.startsWith(`${baseUrl}/notice/`) ? url.slice(`${baseUrl}/notice/`.length).replace(/[?#].*/, '') : '';
    const post = await this.visitors.post(id);
    if (!post.isLocal) throw new NotFound();
    return oembedOf(post, { name: this.settings.get('instance.name'), url: baseUrl });
  }

  private async document(name: DocumentName, otherwise: string): Promise<string> {
    const title = escapeHtml(this.settings.get('instance.name'));
    return (await this.documents.find(name)) ?? `<h1>${title}</h1>\n<p>${escapeHtml(otherwise)}</p>\n`;
  }
}
