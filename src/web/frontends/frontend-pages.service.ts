import { join } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import { parseCookie } from 'cookie';
import type { Request, Response } from 'express';
import { entityTag, type Json, type PageContent, Pages } from '../../common/index.js';
import { ConfigurationService } from '../../config/index.js';
import { type Build, type FrontendFiles, FrontendsService, InstanceDocuments } from '../../instance/index.js';
import { sendStoredFile } from '../../media/index.js';
import { Brand, ENV, type Env, isOperatorPath, PublicFolder } from '../../platform/index.js';
import { frontendPage } from './frontend-page.js';

/** The choice of a visitor: `name/version`, or the own pages of this server. */
export const CHOICE = 'preferred_frontend';
export const OWN_PAGES = 'own';

/** Builds name most files after their content; the others are requested again. */
const HASHED = /[.-][\w-]{8,}\.\w+$/;
/** File systems take no longer names. */
const LONGEST_NAME = 255;
const FOR_GOOD = 'public, max-age=31536000, immutable';
const REVALIDATED = 'public, no-cache';
/** Hidden files, and names of files that are not there: no reason to send a page. */
const NO_PAGE =
  /^$|(^|\/)\.|[\0-\x1f\\]|\.(m?js|css|map|json|png|jpe?g|gif|webp|avif|svg|ico|woff2?|ttf|otf|txt|xml|wasm|mp[34]|php)$/i;
/** A picture that is opened as a page runs no script. */
const INERT = "sandbox; default-src 'none'; style-src 'unsafe-inline'";

/** Serves installed frontends, and files of the operator. */
@Injectable()
export class FrontendPagesService {
  private readonly own: PublicFolder;

  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly brand: Brand,
    private readonly pages: Pages,
    private readonly frontends: FrontendsService,
    private readonly documents: InstanceDocuments,
    private readonly configuration: ConfigurationService,
  ) {
    this.own = new PublicFolder(join(env.dataDir, 'static'), isOperatorPath);
  }

  /** The frontend that a visitor sees; undefined for the own pages of this server. */
  async buildFor(request: Request): Promise<Build | undefined> {
    const choice = parseCookie(request.headers.cookie ?? '')[CHOICE];
    if (choice === OWN_PAGES) return undefined;
    const picked = choice && (await this.frontends.pickable()).find(({ name, ref }) => `${name}/${ref}` === choice);
    return picked || this.frontends.chosen('frontends.primary');
  }

  /**
   * Sends the first page of the frontend that the visitor sees.
   * @param content of the page it stands for: its title and preview
   * @returns false when the visitor sees the own pages
   */
  async sendPage(request: Request, response: Response, content?: PageContent): Promise<boolean> {
    if (this.frontends.isChoice) response.vary('Cookie');
    const build = await this.buildFor(request);
    return build !== undefined && this.sendIndex(build, request, response, content);
  }

  /** Sends the first page of a frontend; returns false when it is not installed. */
  async sendIndex(build: Build, request: Request, response: Response, content?: PageContent): Promise<boolean> {
    const index = await this.frontends.index(build);
    if (index === undefined) return false;
    const page = frontendPage(index, this.pages.site, content, await this.answers());
    if (content) response.vary('Accept-Language');
    response.type('html').set({
      'Content-Security-Policy': this.policy(),
      'Cache-Control': REVALIDATED,
      ETag: entityTag(page),
    });
    if (request.fresh) response.status(304).end();
    else response.send(page);
    return true;
  }

  /** Sends a file of a frontend; returns false when there is none. */
  async sendFile(build: Build, path: string, request: Request, response: Response): Promise<boolean> {
    return this.send(await this.frontends.files(build), path, request, response);
  }

  /**
   * Sends the file at the path of a request: one that the operator put into the folder `static` of the server's data,
   * or one of the frontend that the visitor sees.
   */
  async sendAnyFile(request: Request, response: Response): Promise<boolean> {
    const path = decodedPath(request);
    if (await this.send(this.own, path, request, response)) return true;
    const build = await this.buildFor(request);
    if (!isHashed(path)) response.vary('Cookie'); // the others have the same content in every build
    return build !== undefined && this.sendFile(build, path, request, response);
  }

  /** Sends the first page for a path that the frontend reads itself; returns false for programs and names of files. */
  async sendForPath(request: Request, response: Response): Promise<boolean> {
    const isPage = !NO_PAGE.test(decodedPath(request)) && request.accepts(['json', 'html']) === 'html';
    return isPage && this.sendPage(request, response.vary('Accept'));
  }

  private async send(folder: FrontendFiles, path: string, request: Request, response: Response): Promise<boolean> {
    const stored = await folder.stat(path);
    if (!stored) return false;
    const name = path.slice(path.lastIndexOf('/') + 1);
    response.type(name.includes('.') ? name : 'application/octet-stream');
    if (name.endsWith('.svg')) response.set('Content-Security-Policy', INERT);
    const headers = {
      'Cache-Control': isHashed(name) ? FOR_GOOD : REVALIDATED,
      ETag: `"${stored.size.toString(36)}-${stored.modifiedAt.getTime().toString(36)}"`,
    };
    await sendStoredFile(folder, path, headers, request, response);
    return true;
  }

  /** The answers that frontends need before they show anything. */
  private async answers(): Promise<Record<string, string>> {
    const [instance, nodeInfo, settings] = await Promise.all([
      this.documents.v1(),
      this.documents.nodeInfo('2.1'),
      this.configuration.frontends(),
    ]);
    return {
      '/api/v1/instance': base64(instance),
      '/nodeinfo/2.1.json': base64(nodeInfo),
      [`/api/${this.brand.word}/frontend_configurations`]: Buffer.from(JSON.stringify(settings)).toString('base64'),
    };
  }

  /** Scripts of the frontend may run, and load pictures and videos of other servers. */
  private policy(): string {
    const sockets = this.env.baseUrl.replace(/^http/, 'ws');
    return [
      "default-src 'none'",
      "base-uri 'self'",
      "script-src 'self' 'wasm-unsafe-eval'",
      "style-src 'self' 'unsafe-inline'",
      "img-src 'self' data: blob: https:",
      "media-src 'self' data: blob: https:",
      "font-src 'self' data:",
      `connect-src 'self' blob: ${sockets}`,
      "manifest-src 'self'",
      "worker-src 'self' blob:",
      "form-action 'self'",
      "frame-ancestors 'none'",
    ].join('; ');
  }
}

function base64(json: Json): string {
  return json.toBuffer().toString('base64');
}

function decodedPath(request: Request): string {
  try {
    return decodeURIComponent(request.path.slice(1));
  } catch {
    return '';
  }
}

/** Whether a path ends with the name of a file whose content never changes. */
function isHashed(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return name.length <= LONGEST_NAME && HASHED.test(name);
}
