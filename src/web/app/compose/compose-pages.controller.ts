import { Get, Post } from '@nestjs/common';
import { Input, type PageAnswer, type PageContent, RateLimit, RootApi, SignedIn } from '../../../common/index.js';
import { ComposeBody, ComposeService, ScheduledService, StatusPreviewView } from '../../../statuses/index.js';
import { SessionPages, type Visit } from '../../frame/session-pages.js';
import { Visiting } from '../../frame/visiting.js';
import { AppStatuses } from '../statuses/app-statuses.js';
import { statusPath } from '../statuses/status-actions.part.js';
import { ComposeForms, keyOf, originOf } from './compose-forms.js';
import { AcceptsFormFiles, ComposeFormBody, ComposeQuery, lines } from './compose.dto.js';
import { type ComposePage, composePage } from './compose.page.js';

/** The page on which people write a post. The services of the API decide what is posted. */
@RootApi('app/compose')
export class ComposePagesController {
  constructor(
    private readonly pages: SessionPages,
    private readonly forms: ComposeForms,
    private readonly compose: ComposeService,
    private readonly scheduled: ScheduledService,
    private readonly previews: StatusPreviewView,
    private readonly shown: AppStatuses,
  ) {}

  @Get()
  @SignedIn()
  show(@Input(ComposeQuery) query: ComposeQuery, @Visiting() visit: Visit): Promise<PageAnswer> {
    return this.pages.open(visit, async () => this.page(visit, await this.forms.begin(visit.session.accountId, query)));
  }

  /** Posts, or shows the form again with a preview or more fields. A form that was refused keeps everything, also its files. */
  @Post()
  @SignedIn()
  @RateLimit('statuses_actions', 'posts')
  @AcceptsFormFiles()
  submit(@Input(ComposeFormBody) form: ComposeFormBody, @Visiting() visit: Visit): Promise<PageAnswer> {
    const key = keyOf(form); // before the form gets its files
    const act = async () => {
      await this.forms.fillFormat(form, visit.session.accountId);
      await this.forms.storeFiles(form, visit.session.accountId);
      if (form.action === 'preview') return this.preview(visit, form);
      return form.action === 'post' ? this.post(visit, form, key) : this.page(visit, form);
    };
    return this.pages.submit(visit, act, (alarm) => this.page(visit, form, { alarm }));
  }

  /** Returns the path that the post is shown at. */
  private async post(
    { auth, session: { accountId } }: Visit,
    form: ComposeFormBody,
    key: string | undefined,
  ): Promise<string> {
    await this.forms.describeFiles(form, accountId);
    const [options, origin] = [bodyOf(form).options(), originOf(auth)];
    const time = form.time();
    if (time) {
      await this.scheduled.schedule(accountId, options, origin, time, key);
      return '/app/scheduled';
    }
    const { statusId } = await this.compose.create(accountId, options, origin, key);
    return statusPath(statusId);
  }

  private async preview(visit: Visit, form: ComposeFormBody): Promise<PageContent> {
    const { accountId } = visit.session;
    await this.forms.describeFiles(form, accountId);
    const preview = await this.compose.preview(accountId, bodyOf(form).options(), originOf(visit.auth));
    const entry = await this.previews.render(preview, { viewerId: accountId });
    return this.page(visit, form, { preview: this.shown.shown(entry) });
  }

  private async page(
    { t, session }: Visit,
    form: ComposeFormBody,
    more: Pick<ComposePage, 'alarm' | 'preview'> = {},
  ): Promise<PageContent> {
    return composePage(t, session, { ...(await this.forms.pageOf(t, session.accountId, form)), ...more });
  }
}

/** A form as the API takes it. */
function bodyOf(form: ComposeFormBody): ComposeBody {
  return Object.assign(new ComposeBody(), {
    status: lines(form.text),
    content_type: form.content_type,
    spoiler_text: form.spoiler_text,
    sensitive: form.sensitive,
    visibility: form.visibility,
    language: form.language,
    in_reply_to_id: form.in_reply_to_id,
    quote_id: form.quote_id,
    quote_approval_policy: form.quote_approval_policy,
    expires_in: form.expires_in,
    media_ids: form.mediaIds(),
    poll: form.wantedPoll(),
  });
}
