import { Get, NotFoundException, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { NotFound, Public, RootApi } from '../../common/index.js';
import { FrontendsService } from '../../instance/index.js';
import { FrontendPagesService } from './frontend-pages.service.js';

/** The frontend for administration, and files of the operator and of the main frontend. */
@RootApi('')
export class FrontendFilesController {
  constructor(
    private readonly pages: FrontendPagesService,
    private readonly frontends: FrontendsService,
  ) {}

  /** Frontends name their files relative to the folder, so its address ends in a slash. */
  @Get(['svc/admin', 'svc/admin/*path'])
  @Public()
  async administration(@Req() request: Request, @Res() response: Response): Promise<void> {
    const build = await this.frontends.chosen('frontends.admin');
    if (!build) throw new NotFoundException();
    if (request.path === '/svc/admin') {
      response.redirect(request.originalUrl.replace(/(\?.*)?$/, '/$1'));
      return;
    }
    const { path = [] } = request.params;
    const isSent =
      (await this.pages.sendFile(build, [path].flat().join('/'), request, response)) ||
      (await this.pages.sendIndex(build, request, response));
    if (!isSent) throw new NotFoundException();
  }

  @Get(['static/*path', 'instance/*path'])
  @Public()
  async file(@Req() request: Request, @Res() response: Response): Promise<void> {
    if (!(await this.pages.sendAnyFile(request, response))) throw new NotFound('Not found');
  }
}
