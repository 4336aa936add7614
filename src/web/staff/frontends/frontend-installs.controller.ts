import { Get, Post } from '@nestjs/common';
import { AdminFrontendsService, AdminSettingsService } from '../../../admin/index.js';
import {
  asReason,
  Input,
  Invalid,
  joined,
  OptionalText,
  type PageAnswer,
  type PageContent,
  RootApi,
  SignedIn,
} from '../../../common/index.js';
import { FrontendsService } from '../../../instance/index.js';
import type { Visit } from '../../frame/session-pages.js';
import { Visiting } from '../../frame/visiting.js';
import { StaffPages } from '../frame/staff-pages.js';
import type { Said } from '../parts/staff.part.js';
import { frontendsPage } from './frontends.page.js';

const MAX_NAME = 200;

class InstallBody {
  @OptionalText({ max: MAX_NAME }) name = '';
}

class PrimaryBody {
  /** `name/version` of an installed one; empty for the own pages. */
  @OptionalText({ max: MAX_NAME }) frontend = '';
}

/** The page on which administrators install web apps and choose the one that visitors see (spec §4.1.8). */
@RootApi('app/staff/frontends')
export class FrontendInstallsController {
  constructor(
    private readonly pages: StaffPages,
    private readonly frontends: FrontendsService,
    private readonly installs: AdminFrontendsService,
    private readonly settings: AdminSettingsService,
  ) {}

  @Get()
  @SignedIn('admin:read')
  show(@Visiting() visit: Visit): Promise<PageAnswer> {
    return this.pages.open(visit, () => this.page(visit));
  }

  /** Installs a known web app from the address of its builds. */
  @Post('install')
  @SignedIn('admin:write')
  install(@Input(InstallBody) body: InstallBody, @Visiting() visit: Visit): Promise<PageAnswer> {
    const install = async () => {
      const { brand, ...build } = await this.installs.install(visit.auth, { name: body.name }).catch(withReason);
      const name = `${build.name}/${build.ref}`;
      const done = visit.t.text('staff.frontends.done', { name });
      const hint = brand === undefined ? '' : ` ${visit.t.text('staff.frontends.brand', { brand })}`;
      return this.page(visit, { notice: `${done}${hint}` });
    };
    return this.pages.submit(visit, install, (alarm) => this.page(visit, { alarm }));
  }

  /** Chooses the web app that visitors see in place of the own pages. */
  @Post('primary')
  @SignedIn('admin:write')
  choose(@Input(PrimaryBody) body: PrimaryBody, @Visiting() visit: Visit): Promise<PageAnswer> {
    const choose = async () => {
      const [name = '', ref = ''] = body.frontend.split('/');
      if (body.frontend !== '' && !(await this.frontends.isInstalled({ name, ref })))
        throw new Invalid('It is not installed');
      await this.settings.change(visit.auth, [{ path: 'frontends.primary', value: { name, ref } }]);
      return this.page(visit, { notice: visit.t.text('staff.saved') });
    };
    return this.pages.submit(visit, choose, (alarm) => this.page(visit, { alarm }));
  }

  private async page({ t, session, may }: Visit, said?: Said): Promise<PageContent> {
    const [listed, primary] = await Promise.all([this.frontends.list(), this.frontends.chosen('frontends.primary')]);
    const frontends = listed.map(({ name, ref, git, build_url: build, installed_refs: installed }) => ({
      name,
      ref,
      source: git,
      isInstallable: build !== '',
      installed,
    }));
    const list = { frontends, primary: primary && `${primary.name}/${primary.ref}`, isChangeable: may('admin:write') };
    return frontendsPage(t, session, list, said);
  }
}

/** Administrators read why a build could not be installed. */
function withReason(error: unknown): never {
  if (error instanceof Invalid && error.cause instanceof Error)
    throw new Invalid(joined([error.reason, asReason(error.cause.message)], ': '), { cause: error });
  throw error;
}
