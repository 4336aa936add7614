import { Get, Post, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { AdminInvitesService } from '../../../admin/index.js';
import {
  type ApiRequest,
  Input,
  IntLike,
  OptionalText,
  type PageContent,
  RootApi,
  SignedIn,
} from '../../../common/index.js';
import { SentFormBody } from '../../frame/sent-form.dto.js';
import { StaffPages, type StaffVisit } from '../frame/staff-pages.js';
import { type InviteDraft, INVITES_PATH, invitesPage } from './invites.page.js';

const MAX_LENGTH = 1_000;
const MOST_USES = 1_000_000;

class NewInviteFormBody extends SentFormBody {
  /** How many people it lets in; without, and without an end, one. */
  @IntLike({ min: 1, max: MOST_USES }) max_use?: number;
  @OptionalText({ max: MAX_LENGTH }) expires_at = '';
}

class InviteTokenFormBody extends SentFormBody {
  @OptionalText({ max: MAX_LENGTH }) token = '';
}

class InviteMailFormBody extends SentFormBody {
  @OptionalText({ max: MAX_LENGTH }) email = '';
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
  list(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    return this.pages.open(request, response, (visit) => this.page(visit));
  }

  @Post()
  @SignedIn('admin:write:invites')
  create(
    @Input(NewInviteFormBody) body: NewInviteFormBody,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    const { max_use: maxUse, expires_at: expiresAt } = body;
    const create = async ({ auth }: StaffVisit) => {
      await this.invites.create(auth, { maxUse: maxUse ?? null, expiresAt: expiresAt || null });
      return INVITES_PATH;
    };
    const typed = { maxUse: maxUse === undefined ? '' : String(maxUse), expiresAt };
    return this.pages.submit(request, response, body, create, (visit, alarm) => this.page(visit, { alarm, ...typed }));
  }

  @Post('revoke')
  @SignedIn('admin:write:invites')
  revoke(
    @Input(InviteTokenFormBody) body: InviteTokenFormBody,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    return this.pages.act(request, response, body, ({ auth }) => this.invites.revoke(auth, body.token));
  }

  @Post('mail')
  @SignedIn('admin:write:invites')
  mail(
    @Input(InviteMailFormBody) body: InviteMailFormBody,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    const { email, name } = body;
    const send = async (visit: StaffVisit) => {
      await this.invites.email(visit.session.accountId, { email, name });
      return this.page(visit, { notice: visit.t.text('staff.invites.sent') });
    };
    return this.pages.submit(request, response, body, send, (visit, alarm) => this.page(visit, { alarm, email, name }));
  }

  private async page({ t, session, may }: StaffVisit, draft?: InviteDraft): Promise<PageContent> {
    return invitesPage(t, session, await this.invites.list(), may('admin:write:invites'), draft);
  }
}
