import { Get, Inject } from '@nestjs/common';
import { AccountsService, ModeratedAccountsService } from '../../../accounts/index.js';
import { type PageAnswer, RootApi, SignedIn } from '../../../common/index.js';
import { Settings } from '../../../config/index.js';
import { FrontendsService, RulesService } from '../../../instance/index.js';
import { ENV, type Env, knownUrl } from '../../../platform/index.js';
import { SessionPages, type Visit } from '../../frame/session-pages.js';
import { Visiting } from '../../frame/visiting.js';
import { admissionOf } from '../../landing/landing.service.js';
import { type StartFacts, startPage } from './start.page.js';

/** Hosts that only this machine or this network knows. */
const LOCAL_HOST = /^(localhost|127\.|\[::1\]|10\.|192\.168\.)|\.(localhost|local|test|example|invalid)$/;

/** The checklist of a new server. */
@RootApi('app/start')
export class StartPageController {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly settings: Settings,
    private readonly pages: SessionPages,
    private readonly accounts: AccountsService,
    private readonly people: ModeratedAccountsService,
    private readonly rules: RulesService,
    private readonly frontends: FrontendsService,
  ) {}

  @Get()
  @SignedIn('admin:read')
  show(@Visiting() visit: Visit): Promise<PageAnswer> {
    return this.pages.open(visit, async ({ t, session }) => startPage(t, session, await this.facts(session.accountId)));
  }

  private async facts(accountId: string): Promise<StartFacts> {
    const [account, rules, frontend, people] = await Promise.all([
      this.accounts.byId(accountId),
      this.rules.all(),
      this.frontends.chosen('frontends.primary'),
      this.people.countLocal(),
    ]);
    return {
      isNamed: this.settings.isStored('instance.name'),
      hasPicture: account?.avatarUrl != null,
      hasPosts: (account?.statusesCount ?? 0) > 0,
      hasRules: rules.length > 0,
      hasOthers: people > 1,
      hasFrontend: frontend !== undefined,
      hasSource: this.settings.get('instance.source_url') !== '',
      signUps: admissionOf(this.settings),
      url: this.env.baseUrl,
      isOnline: !LOCAL_HOST.test(knownUrl(this.env.baseUrl).hostname),
    };
  }
}
