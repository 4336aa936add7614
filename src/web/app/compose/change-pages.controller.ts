import { Get, Param, Post } from '@nestjs/common';
import {
  Input,
  NotFound,
  type PageAnswer,
  type PageContent,
  RateLimit,
  RootApi,
  SignedIn,
} from '../../../common/index.js';
import {
  EditsService,
  EditStatusBody,
  type PlainStatusJson,
  type StatusJson,
  StatusesService,
  StatusView,
} from '../../../statuses/index.js';
import { HOME_PATH } from '../../frame/app-nav.js';
import { SessionPages, type Visit } from '../../frame/session-pages.js';
import { Visiting } from '../../frame/visiting.js';
import { AppStatuses } from '../statuses/app-statuses.js';
import { statusPath } from '../statuses/status-actions.part.js';
import { deletePage, editPage } from './change.pages.js';
import { ComposeForms } from './compose-forms.js';
import { AcceptsFormFiles, ComposeFormBody, DeleteBody, lines } from './compose.dto.js';
import { composePage } from './compose.page.js';
import { objectOf } from '../../parts/rendered.js';

/** The pages on which people edit and delete their own posts; posts of others are 404. */
@RootApi('app/posts/:id')
export class ChangePagesController {
  constructor(
    private readonly pages: SessionPages,
    private readonly forms: ComposeForms,
    private readonly edits: EditsService,
    private readonly statuses: StatusesService,
    private readonly view: StatusView,
    private readonly shown: AppStatuses,
  ) {}

  @Get('edit')
  @SignedIn()
  showEdit(@Param('id') id: string, @Visiting() visit: Visit): Promise<PageAnswer> {
    return this.pages.open(visit, async () => {
      const { accountId } = visit.session;
      const [post, source] = await Promise.all([this.own(id, accountId), this.statuses.source(id, accountId)]);
      return this.editPage(visit, post, this.forms.edited(post, source));
    });
  }

  @Post('edit')
  @SignedIn()
  @RateLimit('statuses_actions')
  @AcceptsFormFiles()
  edit(
    @Param('id') id: string,
    @Input(ComposeFormBody) form: ComposeFormBody,
    @Visiting() visit: Visit,
  ): Promise<PageAnswer> {
    const act = async () => {
      const { accountId } = visit.session;
      const post = await this.own(id, accountId);
      await this.forms.storeFiles(form, accountId);
      if (form.action !== 'post') return this.editPage(visit, post, form);
      const isPollKept = form.poll_change === 'keep';
      await this.edits.edit(id, accountId, { ...bodyOf(form).options(), ...(isPollKept && { poll: undefined }) });
      return statusPath(id);
    };
    const retry = async (alarm: string) =>
      this.editPage(visit, await this.own(id, visit.session.accountId), form, alarm);
    return this.pages.submit(visit, act, retry);
  }

  @Get('delete')
  @SignedIn()
  showDelete(@Param('id') id: string, @Visiting() visit: Visit): Promise<PageAnswer> {
    return this.pages.open(visit, () => this.deletePage(visit, id));
  }

  /** Deletes a post. A post that is to be written again keeps its files for a day. */
  @Post('delete')
  @SignedIn()
  @RateLimit('statuses_actions')
  delete(
    @Param('id') id: string,
    @Input(DeleteBody) { action }: DeleteBody,
    @Visiting() visit: Visit,
  ): Promise<PageAnswer> {
    const act = async () => {
      const { accountId } = visit.session;
      await this.own(id, accountId);
      if (action === 'redraft') return this.redraft(visit, id);
      await this.statuses.delete(id, accountId, { removesMedia: true });
      return HOME_PATH;
    };
    return this.pages.submit(visit, act, (alarm) => this.deletePage(visit, id, alarm));
  }

  /** Deletes a post, and shows the form with everything that it had. */
  private async redraft({ t, session }: Visit, id: string): Promise<PageContent> {
    const { accountId } = session;
    const source = await this.statuses.source(id, accountId);
    const { text, contentType } = source;
    const entry = await this.view.withSource(id, { text: text ?? '', contentType }, { viewerId: accountId });
    await this.statuses.delete(id, accountId);
    const page = await this.forms.pageOf(t, accountId, this.forms.redraft(entry, source));
    return composePage(t, session, { ...page, notice: t.text('compose.redrafted') });
  }

  private async editPage(
    { t, session }: Visit,
    post: PlainStatusJson,
    form: ComposeFormBody,
    alarm?: string,
  ): Promise<PageContent> {
    const { accountId } = session;
    const [choices, files] = await Promise.all([this.forms.choices(t, accountId), this.forms.files(form, accountId)]);
    return editPage(t, session, { id: post.id, form, choices, files, poll: post.poll, alarm });
  }

  private async deletePage({ t, session }: Visit, id: string, alarm?: string): Promise<PageContent> {
    await this.own(id, session.accountId);
    return deletePage(t, session, this.shown.shown(await this.view.one(id, { viewerId: session.accountId })), alarm);
  }

  /** @throws NotFound for a post of somebody else, and for a boost */
  private async own(id: string, accountId: string): Promise<PlainStatusJson> {
    if (!(await this.statuses.isOwn(id, accountId))) throw new NotFound();
    const post = objectOf<StatusJson>(await this.view.one(id, { viewerId: accountId }));
    if (post.reblog !== null) throw new NotFound();
    return post;
  }
}

/** A form as the API takes it. */
function bodyOf(form: ComposeFormBody): EditStatusBody {
  const poll = form.poll_change === 'remove' ? null : (form.wantedPoll() ?? null);
  return Object.assign(new EditStatusBody(), {
    status: lines(form.text),
    content_type: form.content_type,
    spoiler_text: form.spoiler_text,
    sensitive: form.sensitive,
    language: form.language,
    quote_approval_policy: form.quote_approval_policy,
    media_ids: form.mediaIds(),
    media_attributes: form.media.map(({ id, description }) => ({ id, description: lines(description) })),
    poll,
  });
}
