import { Get, NotFoundException, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { isApiPath, Public, RootApi } from '../../common/index.js';
import { FrontendPagesService } from '../frontends/frontend-pages.service.js';
import { VisitorsService } from '../visitors/visitors.service.js';

/** A possible nickname or id of an account that is no name of a file. */
const NICKNAME = /^\w[\w-]*$/;

/** Paths that no other route takes: those of the main frontend, and short addresses of accounts. */
@RootApi('')
export class UnknownPathsController {
  constructor(
    private readonly pages: FrontendPagesService,
    private readonly visitors: VisitorsService,
  ) {}

  /** Leads to the page of an account by its nickname or id. */
  @Get(':maybe_nickname_or_id')
  @Public()
  async account(
    @Param('maybe_nickname_or_id') name: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const account = NICKNAME.test(name) ? await this.visitors.find(name) : undefined;
    if (account) response.redirect(`/@${account.nickname}`);
    else await this.any(request, response);
  }

  /** A file or the first page of the main frontend, which reads the path itself. */
  @Get('*path')
  @Public()
  async any(@Req() request: Request, @Res() response: Response): Promise<void> {
    const isSent =
      !isApiPath(request.path) &&
      ((await this.pages.sendAnyFile(request, response)) || (await this.pages.sendForPath(request, response)));
    if (!isSent) throw new NotFoundException();
  }
}
