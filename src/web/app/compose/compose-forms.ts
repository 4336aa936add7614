import { createHash, randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { ListsService, UsersService } from '../../../accounts/index.js';
import {
  type Auth,
  ignoreRefusal,
  type Json,
  RateLimits,
  requireAllowed,
  type Translator,
  unique,
  UploadedFile,
  extensionOf,
} from '../../../common/index.js';
import { Settings } from '../../../config/index.js';
import { type AttachmentJson, AttachmentsService, AttachmentView } from '../../../media/index.js';
import { ENV, type Env, Limiter } from '../../../platform/index.js';
import {
  OPEN_TO_USERS,
  type PlainStatusJson,
  PollBody,
  type PollJson,
  type StatusJson,
  StatusView,
} from '../../../statuses/index.js';
import { PageChoicesService } from '../../frame/page-choices.js';
import { AppStatuses } from '../statuses/app-statuses.js';
import { type FormChoices, type FormFile, nearestDuration } from './compose-fields.part.js';
import { ComposeFormBody, type ComposeQuery, FormFileBody, lines } from './compose.dto.js';
import type { ComposePage } from './compose.page.js';
import { languagesAfter } from './languages.js';
import { objectOf } from '../../parts/rendered.js';

/** From the widest to the narrowest. */
const BY_WIDTH = ['public', 'unlisted', 'local', 'private', 'list', 'direct'];
const UPLOADS = 'uploads';
const HOUR_MS = 3_600_000;

/** What the author chose for a post, which its JSON does not show. */
interface Source {
  readonly text: string | null;
  readonly contentType: string;
  readonly hidesTotals: boolean;
}

/** Begins the forms of posts, and takes their files. Posts themselves are written by the services of the API. */
@Injectable()
export class ComposeForms {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly settings: Settings,
    private readonly limits: RateLimits,
    private readonly limiter: Limiter,
    private readonly choice: PageChoicesService,
    private readonly users: UsersService,
    private readonly lists: ListsService,
    private readonly attachments: AttachmentsService,
    private readonly attachmentView: AttachmentView,
    private readonly view: StatusView,
    private readonly shown: AppStatuses,
  ) {}

  /**
   * A new form, with the defaults of the account. A reply begins with the people of the post that it answers, and is for
   * no more readers.
   * @throws NotFound for a post that the account may not see
   */
  async begin(accountId: string, query: ComposeQuery): Promise<ComposeFormBody> {
    const [{ scope, sensitive, language }, format] = await Promise.all([
      this.users.defaults(accountId),
      this.choice.formatOf(accountId),
    ]);
    const asked = query.to === '' ? query.visibility : 'direct';
    const form = Object.assign(newForm(), {
      sensitive,
      language: language ?? '',
      visibility: BY_WIDTH.includes(asked) ? asked : scope,
      content_type: format,
      text: query.to === '' ? query.text : `@${query.to.replace(/^@/, '')} ${query.text}`,
    });
    const { in_reply_to_id: parentId, quote_id: quotedId } = query;
    if (parentId !== undefined) answer(form, await this.post(parentId, accountId), accountId);
    if (quotedId !== undefined) form.quote_id = (await this.post(quotedId, accountId)).id;
    return form;
  }

  /** Gives a small form, which has no field for the format, that of the account. */
  async fillFormat(form: ComposeFormBody, accountId: string): Promise<void> {
    if (form.content_type === '') form.content_type = await this.choice.formatOf(accountId);
  }

  /** A form with everything that a post of the account has, as it is deleted to be written again. */
  redraft(json: Json, { hidesTotals }: Pick<Source, 'hidesTotals'>): ComposeFormBody {
    const post = objectOf<PlainStatusJson>(json);
    const extension = extensionOf<PlainStatusJson['svc']>(post, this.shown.context.brand);
    const { list_id: listId, content_type: contentType, expires_at: endsAt } = extension;
    const { poll, quote_approval: quotes } = post;
    return Object.assign(newForm(), {
      text: post.text ?? '',
      content_type: contentType ?? '',
      spoiler_text: post.spoiler_text,
      sensitive: post.sensitive,
      visibility: listId === null ? post.visibility : `list:${listId}`,
      language: post.language ?? '',
      in_reply_to_id: post.in_reply_to_id ?? undefined,
      quote_id: post.quote_id ?? undefined,
      // Only its author can quote a post for few, whatever was chosen.
      quote_approval_policy: OPEN_TO_USERS.includesName(post.visibility) ? (quotes.automatic[0] ?? 'nobody') : '',
      expires_in: endsAt === null ? undefined : lifeUntil(endsAt),
      media: post.media_attachments.map(({ id, description }) => fileOf(id, description ?? '')),
      poll: poll === null ? undefined : this.pollOf(poll, post.created_at, hidesTotals),
    });
  }

  /** A form with what a post of the account has, to edit it. */
  edited(post: PlainStatusJson, { text, contentType, hidesTotals }: Source): ComposeFormBody {
    const { poll } = post;
    return Object.assign(newForm(), {
      text: text ?? '',
      content_type: contentType,
      spoiler_text: post.spoiler_text,
      sensitive: post.sensitive,
      language: post.language ?? '',
      media: post.media_attachments.map(({ id, description }) => fileOf(id, description ?? '')),
      poll: poll === null ? undefined : this.pollOf(poll, post.created_at, hidesTotals),
      poll_change: poll === null ? 'change' : 'keep',
    });
  }

  /** The poll of a post, without its votes. */
  private pollOf(
    { options, expires_at: endsAt, multiple }: PollJson,
    createdAt: string,
    hidesTotals: boolean,
  ): PollBody {
    const seconds = endsAt === null ? 0 : (Date.parse(endsAt) - Date.parse(createdAt)) / 1_000;
    return Object.assign(new PollBody(), {
      options: options.map(({ title }) => title),
      expires_in: nearestDuration(seconds, this.settings.get('instance.poll_limits')),
      multiple,
      hide_totals: hidesTotals,
    });
  }

  /** What a page with the form of a new post shows. */
  async pageOf(t: Translator, accountId: string, form: ComposeFormBody): Promise<ComposePage> {
    const [choices, files, posts] = await Promise.all([
      this.choices(t, accountId),
      this.files(form, accountId),
      this.posts(form, accountId),
    ]);
    return { form, choices, files, ...posts };
  }

  /** What the form offers to choose from. */
  async choices(t: Translator, accountId: string): Promise<FormChoices> {
    const [lists, { language }] = await Promise.all([this.lists.all(accountId), this.users.defaults(accountId)]);
    const first = [language, t.locale, ...this.settings.get('instance.languages')];
    return {
      lists,
      languages: languagesAfter(unique(first)),
      formats: this.settings.get('instance.allowed_post_formats'),
      textLength: this.settings.get('instance.limit'),
      fileBytes: this.settings.get('instance.upload_limit'),
      poll: this.settings.get('instance.poll_limits'),
    };
  }

  /** The posts around a form, without those that the account may no longer see. */
  private async posts(
    { in_reply_to_id: parentId, quote_id: quotedId }: ComposeFormBody,
    viewerId: string,
  ): Promise<Pick<ComposePage, 'parent' | 'quoted'>> {
    const find = async (id: string | undefined) => {
      const entry = id === undefined ? undefined : await this.view.one(id, { viewerId }).catch(ignoreRefusal);
      return entry && this.shown.shown(entry);
    };
    const [parent, quoted] = await Promise.all([find(parentId), find(quotedId)]);
    return { parent, quoted };
  }

  /** The files of a form that the account has, with their addresses. */
  async files({ media }: ComposeFormBody, accountId: string): Promise<FormFile[]> {
    const own = await this.attachments.ownByIds(
      media.map(({ id }) => id),
      accountId,
    );
    return media.flatMap(({ id, description }) => {
      const row = own.get(id);
      return row ? [{ ...(this.attachmentView.one(row) as AttachmentJson), description }] : [];
    });
  }

  /**
   * Stores the new files of a form, as `POST /api/v2/media` does. The form then has them as uploaded files, also where
   * another one was refused.
   * @throws what {@link AttachmentsService.upload} throws, TooManyRequests
   */
  async storeFiles(form: ComposeFormBody, accountId: string): Promise<void> {
    form.media = form.media.filter((file) => !file.leave_out);
    const refusals: unknown[] = [];
    for (const { file, description } of form.sentFiles()) {
      try {
        await this.requireAllowed(accountId);
        const { id } = await this.attachments.upload(accountId, file, { description });
        form.media.push(fileOf(id, description));
      } catch (error) {
        refusals.push(error);
      }
    }
    if (refusals.length > 0) throw refusals[0];
  }

  /**
   * Stores the descriptions of the files of a form, which are not posted yet. Missing files are refused with the post.
   * @throws Unprocessable for one that is too long or refused by a policy
   */
  async describeFiles({ media }: ComposeFormBody, accountId: string): Promise<void> {
    const descriptions = media.map(({ id, description }) => [id, lines(description)] as const);
    await this.attachments.describeUnposted(accountId, new Map(descriptions));
  }

  private async post(id: string, viewerId: string): Promise<PlainStatusJson> {
    const entry = objectOf<StatusJson>(await this.view.one(id, { viewerId }));
    return entry.reblog ?? entry;
  }

  /** Counts an upload against the limit of the API. */
  private async requireAllowed(accountId: string): Promise<void> {
    if (this.env.rateLimits !== 'on') return;
    const bucket = { name: UPLOADS, ...this.limits.of(UPLOADS, 'user') };
    requireAllowed(await this.limiter.consume(bucket, `account ${accountId}`));
  }
}

/** The origin of posts that are written on the pages. */
export function originOf({ appId }: Auth) {
  return { kind: 'local', appId } as const;
}

/**
 * The idempotency key of a form: the same for a form that is sent twice, another one for a form that was changed after it
 * was sent.
 */
export function keyOf(form: ComposeFormBody): string | undefined {
  if (form.key === '') return undefined;
  const written = JSON.stringify(form, (_name, value: unknown) =>
    value instanceof UploadedFile ? [value.filename, value.size] : value,
  );
  return `page ${createHash('sha256').update(written).digest('base64url')}`;
}

/** A form of a new page. */
export function newForm(): ComposeFormBody {
  return Object.assign(new ComposeFormBody(), { key: randomUUID() });
}

/** Makes a form the one of a reply. */
function answer(form: ComposeFormBody, parent: PlainStatusJson, accountId: string): void {
  const people = [parent.account, ...parent.mentions].filter(({ id }) => id !== accountId);
  const names = unique(people.map(({ acct }) => `@${acct} `));
  form.in_reply_to_id = parent.id;
  form.text = names.join('') + form.text;
  form.spoiler_text = parent.spoiler_text;
  form.visibility = narrower(form.visibility, parent.visibility);
}

function narrower(one: string, other: string): string {
  return BY_WIDTH.indexOf(one) > BY_WIDTH.indexOf(other) ? one : other;
}

function fileOf(id: string, description: string): FormFileBody {
  return Object.assign(new FormFileBody(), { id, description });
}

/** The hours until a time, in seconds; the services refuse a life of one hour. */
function lifeUntil(time: string): number {
  const hours = Math.ceil((Date.parse(time) - Date.now()) / HOUR_MS);
  return (Math.max(hours, 2) * HOUR_MS) / 1_000;
}
