import { Get, Post } from '@nestjs/common';
import { AdminInvitesService } from '../../../admin/index.js';
import {
  Input,
  IntLike,
  OptionalText,
  type PageAnswer,
  type PageContent,
  RootApi,
  SignedIn,
  Trimmed,
} from '../../../common/index.js';
import type { Visit } from '../../frame/session-pages.js';
import { Visiting } from '../../frame/visiting.js';
import { StaffPages } from '../frame/staff-pages.js';
import { type InviteDraft, INVITES_PATH, invitesPage } from './invites.page.js';

const MAX_LENGTH = 1_000;
const MOST_USES = 1_000_000;

class NewInviteFormBody {
  /** How many people it lets in; without, and without an end, one. */
  @IntLike({ min: 1, max: MOST_USES }) max_use?: number;
  @OptionalText({ max: MAX_LENGTH }) expires_at = '';
}

class InviteTokenFormBody {
  @OptionalText({ max: MAX_LENGTH }) token = '';
}

class InviteMailFormBody {
  @OptionalText({ max: MAX_LENGTH }) @Trimmed() email = '';
  @OptionalText({ max: MAX_LENGTH }) name = '';
}

/** Invites for the staff, by the services of the API. */
@RootApi('app/staff/invites')
export class InvitePagesController {
  constructor(
    private readonly pages: StaffPages,
    private readonly invites: AdminInvitesService,
  ) {}

  @Get()
  @SignedIn('admin:read:invites')
  list(@Visiting() visit: Visit): Promise<PageAnswer> {
    return this.pages.open(visit, () => this.page(visit));
  }

  @Post()
  @SignedIn('admin:write:invites')
  create(@Input(NewInviteFormBody) body: NewInviteFormBody, @Visiting() visit: Visit): Promise<PageAnswer> {
    const { max_use: maxUse, expires_at: expiresAt } = body;
    const create = async ({ auth }: Visit) => {
      await this.invites.create(auth, { maxUse: maxUse ?? null, expiresAt: expiresAt || null });
      return INVITES_PATH;
    };
    const typed = { maxUse: maxUse === undefined ? '' : String(maxUse), expiresAt };
    return this.pages.submit(visit, create, (alarm) => this.page(visit, { alarm, ...typed }));
  }

  @Post('revoke')
  @SignedIn('admin:write:invites')
  revoke(@Input(InviteTokenFormBody) body: InviteTokenFormBody, @Visiting() visit: Visit): Promise<PageAnswer> {
    return this.pages.act(visit, ({ auth }) => this.invites.revoke(auth, body.token));
  }

  @Post('mail')
  @SignedIn('admin:write:invites')
  mail(@Input(InviteMailFormBody) body: InviteMailFormBody, @Visiting() visit: Visit): Promise<PageAnswer> {
    const { email, name } = body;
    const send = async () => {
      await this.invites.email(visit.session, { email, name });
      return this.page(visit, { notice: visit.t.text('staff.invites.sent') });
    };
    return this.pages.submit(visit, send, (alarm) => this.page(visit, { alarm, email, name }));
  }

  private async page({ t, session, may }: Visit, draft?: InviteDraft): Promise<PageContent> {
    const invites = await this.invites.list();
    const shown = { invites, role: this.invites.role, isChangeable: may('admin:write:invites') };
    return invitesPage(t, session, shown, draft);
  }
}
