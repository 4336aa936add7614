import { STATUS_CODES } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { Get, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { BooleanLike, Input, OptionalText, Public, RootApi } from '../../common/index.js';
import { Settings } from '../../config/index.js';
import { foreignTypeOfName } from '../../platform/index.js';
import { FileOwners, type FileStanding } from '../files/file-owners.port.js';
import { fileHeaders } from '../files/file-headers.js';
import { ReportedFiles } from '../files/reported-files.port.js';
import { sendStoredFile } from '../files/send-stored-file.js';
import { fileNameOf } from './file-name.js';
import { ForeignFileError } from './foreign-files.js';
import { MediaBansService } from './media-bans.service.js';
import { type ArrivingFile, MediaProxyService } from './media-proxy.service.js';
import { type CachedFile, ProxyCache } from './proxy-cache.js';
import { ProxyPreviewsService } from './proxy-previews.service.js';
import { PREVIEWS, ProxyUrls } from './proxy-urls.js';

const FORBIDDEN = 403;
const NOT_FOUND = 404;
const FAILED_DEPENDENCY = 424;
/** The longest request target. */
const ANY_LENGTH = 16_384;

class FileParams {
  @OptionalText({ max: ANY_LENGTH }) sig = '';
  @OptionalText({ max: ANY_LENGTH }) url = '';
  /** For display only. */
  @OptionalText({ max: ANY_LENGTH }) filename?: string;
}

class PreviewParams extends FileParams {
  /** Whether the picture must not move, even a small one. */
  @BooleanLike() static = false;
}

/** A file that a request gets. */
interface Permitted {
  readonly url: string;
  readonly standing: FileStanding;
}

/** Public files of other servers, at addresses made by this server. Errors reveal no details. */
@RootApi('proxy')
export class ProxyController {
  constructor(
    private readonly settings: Settings,
    private readonly urls: ProxyUrls,
    private readonly bans: MediaBansService,
    private readonly owners: FileOwners,
    private readonly reported: ReportedFiles,
    private readonly proxy: MediaProxyService,
    private readonly previews: ProxyPreviewsService,
    private readonly cache: ProxyCache,
  ) {}

  @Get('preview/:sig/:url')
  @Public()
  async preview(
    @Req() request: Request,
    @Res() response: Response,
    @Input(PreviewParams) path: PreviewParams,
  ): Promise<void> {
    await this.sendPreview(request, response, path);
  }

  @Get('preview/:sig/:url/:filename')
  @Public()
  async namedPreview(
    @Req() request: Request,
    @Res() response: Response,
    @Input(PreviewParams) path: PreviewParams,
  ): Promise<void> {
    await this.sendPreview(request, response, path);
  }

  @Get(':sig/:url')
  @Public()
  async file(@Req() request: Request, @Res() response: Response, @Input(FileParams) path: FileParams): Promise<void> {
    await this.sendFile(request, response, path);
  }

  @Get(':sig/:url/:filename')
  @Public()
  async namedFile(
    @Req() request: Request,
    @Res() response: Response,
    @Input(FileParams) path: FileParams,
  ): Promise<void> {
    await this.sendFile(request, response, path);
  }

  private async sendFile(request: Request, response: Response, path: FileParams): Promise<void> {
    const file = await this.permitted(path, this.urls.isOn, request);
    if (typeof file === 'number') refuse(response, file);
    else if (isMisnamed(path, file.url)) response.redirect(this.urls.pathOf(file.url));
    else await this.passOrFail(file, request, response);
  }

  private async passOrFail(file: Permitted, request: Request, response: Response): Promise<void> {
    try {
      await this.pass(file, request, response);
    } catch (error) {
      if (!(error instanceof ForeignFileError)) throw error;
      const mayLeave = this.settings.get('media_proxy.redirect_on_failure') && error.reason !== 'refused';
      if (mayLeave) response.set('Cache-Control', 'no-store').redirect(file.url);
      else refuse(response, NOT_FOUND);
    }
  }

  private async sendPreview(request: Request, response: Response, path: PreviewParams): Promise<void> {
    const file = await this.permitted(path, this.urls.makesPreviews, request);
    if (typeof file === 'number') refuse(response, file);
    else if (isMisnamed(path, file.url)) response.redirect(this.urls.pathOf(file.url, PREVIEWS) + queryOf(request));
    else await this.passPreview(file, path.static, request, response);
  }

  private async passPreview(file: Permitted, still: boolean, request: Request, response: Response): Promise<void> {
    try {
      const picture = await this.previews.of(file.url, still);
      if (picture) await this.sendCached(picture, file, request, response);
      else response.redirect(this.urls.pathOf(file.url));
    } catch (error) {
      if (!(error instanceof ForeignFileError)) throw error;
      refuse(response, FAILED_DEPENDENCY);
    }
  }

  /** The file that an address names, or the status that refuses it. */
  private async permitted({ sig, url }: FileParams, isOn: boolean, request: Request): Promise<Permitted | number> {
    if (!isOn) return NOT_FOUND;
    const origin = this.urls.open(sig, url);
    if (origin === undefined) return FORBIDDEN;
    const [isBanned, standing] = await Promise.all([this.bans.has(origin), this.owners.standingOf({ url: origin })]);
    const isShown = standing !== 'hidden' || (await this.reported.mayShow(origin, request));
    if (isBanned || !isShown) return NOT_FOUND;
    return { url: origin, standing: standing === 'hidden' ? 'hidden' : 'revocable' };
  }

  /** Requests for a part or for the headers wait for the whole file. */
  private async pass(permitted: Permitted, request: Request, response: Response): Promise<void> {
    const { url } = permitted;
    const isWhole = request.method === 'GET' && request.get('Range') === undefined;
    const cached = isWhole ? undefined : await this.proxy.whole(url);
    const file = cached ? { cached } : await this.proxy.open(url);
    if (file.cached) await this.sendCached(file.cached, permitted, request, response);
    else await sendArriving(file, permitted, request, response);
  }

  private async sendCached(
    file: CachedFile,
    { url, standing }: Permitted,
    request: Request,
    response: Response,
  ): Promise<void> {
    const { name, size, fetchedAt } = file;
    const headers = {
      ...fileHeaders(foreignTypeOfName(name), fileNameOf(url), standing),
      ETag: `"${size.toString(36)}-${fetchedAt.getTime().toString(36)}"`,
    };
    await sendStoredFile(this.cache, name, headers, request, response);
  }
}

async function sendArriving(
  { type, length, stream }: ArrivingFile,
  { url, standing }: Permitted,
  { method }: Request,
  response: Response,
): Promise<void> {
  response.status(200).set(fileHeaders(type, fileNameOf(url), standing));
  if (length !== undefined) response.set('Content-Length', String(length));
  if (method === 'HEAD') {
    stream.destroy();
    response.end();
  } else {
    await pipeline(stream, response).catch(() => response.destroy()); // the download failed, or the client left
  }
}

/** The name for saving comes from the URL; callers cannot choose another one. */
function isMisnamed({ filename }: FileParams, url: string): boolean {
  return filename !== undefined && filename !== fileNameOf(url);
}

function queryOf({ originalUrl }: Request): string {
  const at = originalUrl.indexOf('?');
  return at < 0 ? '' : originalUrl.slice(at);
}

/** Refuses a file with the status text only. */
function refuse(response: Response, status: number): void {
  response.status(status).set('Cache-Control', 'no-store').type('text').send(STATUS_CODES[status]);
}
