import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Type } from '@nestjs/common';
import {
  AccountsService,
  FollowsService,
  ModeratedAccountsService,
  ProfileService,
  UsersService,
} from '../../accounts/index.js';
import { ReportsService } from '../../admin/index.js';
import { ChatsService } from '../../chats/index.js';
import { UploadedFile } from '../../common/index.js';
import { AttachmentsService } from '../../media/index.js';
import { newToken } from '../../platform/index.js';
import {
  ComposeService,
  InteractionsService,
  PollsService,
  ReactionsService,
  StatusView,
} from '../../statuses/index.js';
import {
  DEMO_CHATS,
  DEMO_FOLLOWS,
  DEMO_PEOPLE,
  DEMO_REPORT,
  DEMO_STATUSES,
  type DemoPerson,
  type DemoStatus,
} from './demo-content.js';
import { landscape, portrait } from './demo-pictures.js';

/** Returns the providers of the server. */
interface Services {
  get<T>(type: Type<T>): T;
}

/** The account that the first start makes. */
const FIRST = 'admin';

/** Writes what the demonstration shows through the services of the server, so that everything follows from it as usual. */
export class DemoWriter {
  private readonly ids = new Map<string, string>();
  private readonly posts = new Map<string, string>();

  constructor(private readonly services: Services) {}

  /** Whether there is nobody yet but the account of the first start. */
  async isFresh(): Promise<boolean> {
    const first = await this.services.get(AccountsService).stored(FIRST);
    return first !== undefined && (await this.services.get(ModeratedAccountsService).countLocal()) === 1;
  }

  /** @returns the numbers of new people and posts */
  async fill(): Promise<{ readonly people: number; readonly statuses: number }> {
    const folder = await mkdtemp(join(tmpdir(), 'svc-demo-'));
    try {
      this.ids.set(FIRST, await this.first());
      for (const person of DEMO_PEOPLE) await this.person(person, folder);
      await this.follows();
      for (const [index, status] of DEMO_STATUSES.entries()) await this.status(status, folder, index);
      await this.chats();
      await this.report();
      return { people: DEMO_PEOPLE.length, statuses: DEMO_STATUSES.length };
    } finally {
      await rm(folder, { recursive: true });
    }
  }

  private async first(): Promise<string> {
    const account = await this.services.get(AccountsService).stored(FIRST);
    if (!account) throw new Error(`There is no account ${FIRST}.`);
    return account.id;
  }

  private async person({ nickname, name, bio, hue, isLocked = false, isBot = false }: DemoPerson, folder: string) {
    const { id } = await this.services.get(UsersService).create({ nickname, password: newToken() });
    this.ids.set(nickname, id);
    await this.services.get(ProfileService).update(id, {
      displayName: name,
      note: bio,
      discoverable: true,
      locked: isLocked,
      bot: isBot,
      pictures: {
        avatar: await file(folder, `${nickname}.png`, await portrait(hue)),
        header: await file(folder, `${nickname}-header.png`, await landscape(hue, nickname.length)),
      },
    });
  }

  private async follows(): Promise<void> {
    const follows = this.services.get(FollowsService);
    for (const [follower, followees] of Object.entries(DEMO_FOLLOWS))
      for (const followee of followees) await follows.follow(this.id(follower), this.id(followee));
  }

  private async status(status: DemoStatus, folder: string, index: number): Promise<void> {
    const { by, name, answers, quotes, pictures = [], ...options } = status;
    const mediaIds: string[] = [];
    for (const [at, description] of pictures.entries()) {
      const picture = await file(folder, `${index}-${at}.png`, await landscape(40 * index + 70 * at, index + at));
      const { id } = await this.services.get(AttachmentsService).upload(this.id(by), picture, { description });
      mediaIds.push(id);
    }
    const { statusId } = await this.services
      .get(ComposeService)
      .create(
        this.id(by),
        { ...options, mediaIds, inReplyToId: answers && this.post(answers), quoteId: quotes && this.post(quotes) },
        { kind: 'local', appId: null },
      );
    if (name !== undefined) this.posts.set(name, statusId);
    await this.answerTo(statusId, status);
  }

  /** What the others do with a post. */
  private async answerTo(id: string, { favouritedBy = [], rebloggedBy = [], reactions = {}, votes = {} }: DemoStatus) {
    const interactions = this.services.get(InteractionsService);
    for (const nickname of favouritedBy) await interactions.favourite(id, this.id(nickname));
    for (const nickname of rebloggedBy) await interactions.reblog(id, this.id(nickname));
    for (const [emoji, nicknames] of Object.entries(reactions))
      for (const nickname of nicknames) await this.services.get(ReactionsService).add(id, this.id(nickname), emoji);
    for (const [nickname, option] of Object.entries(votes)) await this.vote(id, nickname, option);
  }

  private async vote(id: string, nickname: string, option: number): Promise<void> {
    const voter = this.id(nickname);
    const { poll } = await this.services.get(StatusView).object(id, { viewerId: voter });
    if (poll) await this.services.get(PollsService).vote(poll.id, voter, [option]);
  }

  private async chats(): Promise<void> {
    const chats = this.services.get(ChatsService);
    for (const [nickname, messages] of Object.entries(DEMO_CHATS)) {
      for (const [index, content] of messages.entries()) {
        const [from, to] = index % 2 === 0 ? [nickname, FIRST] : [FIRST, nickname];
        await chats.post(await chats.open(this.id(from), this.id(to)), this.id(from), { content });
      }
    }
  }

  private async report(): Promise<void> {
    const { by, about, comment } = DEMO_REPORT;
    const report = { comment, statusIds: [], forward: false, ruleIds: [], category: 'other' } as const;
    await this.services.get(ReportsService).file(this.id(by), { accountId: this.id(about), ...report });
  }

  private id(nickname: string): string {
    return named(this.ids, nickname);
  }

  private post(name: string): string {
    return named(this.posts, name);
  }
}

function named(all: ReadonlyMap<string, string>, name: string): string {
  const found = all.get(name);
  if (found === undefined) throw new Error(`The demonstration has nothing called ${name}.`);
  return found;
}

async function file(folder: string, name: string, content: Buffer): Promise<UploadedFile> {
  const path = join(folder, name);
  await writeFile(path, content);
  return new UploadedFile(path, name, 'image/png', content.length);
}
