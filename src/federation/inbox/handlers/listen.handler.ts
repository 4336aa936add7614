import { Injectable } from '@nestjs/common';
import { type AccountRow, FollowsService, ScrobblesService, visibilityName } from '../../../accounts/index.js';
import { DIRECT, type PolicyStatus, textAsStatus } from '../../../statuses/index.js';
import { visibilityOf } from '../../fetch/remote-status.mapper.js';
import { PoliciesService } from '../../policies/policies.service.js';
import type { Activity } from '../../wire/activity.js';
import { parseAudio, type RemoteAudio } from '../../wire/audio.js';
import { effect, ignored, type InboxHandler, type Prepared } from '../inbox-handler.js';

/** Listen: what an account that people here follow listens to. */
@Injectable()
export class ListenHandler implements InboxHandler {
  readonly types = ['Listen'];

  constructor(
    private readonly follows: FollowsService,
    private readonly scrobbles: ScrobblesService,
    private readonly policies: PoliciesService,
  ) {}

  async prepare(activity: Activity, actor: AccountRow): Promise<Prepared> {
    const audio = parseAudio(activity.object.json);
    if (!audio) return ignored('Its object is no audio with a title');
    const visibility = visibilityOf(activity, actor.followersUrl);
    if (DIRECT.includes(visibility)) return ignored('It is for few');
    if (!(await this.follows.hasLocalFollowers(actor.id))) return ignored('It concerns no account of this server');
    const passed = await this.policies.post(postOf(audio, visibility), { author: actor, recipients: [] });
    if (typeof passed === 'string') return ignored(passed);
    const scrobble = { ...audio, visibility: visibilityName(passed.visibility) };
    const createdAt = activity.published ?? new Date();
    return effect(() => this.scrobbles.receive(actor.id, scrobble, { uri: activity.id, createdAt }));
  }
}

/** The track as a post, whose words policies read: they may refuse it or narrow its audience. */
function postOf({ title, artist, album, externalLink }: RemoteAudio, visibility: number): PolicyStatus {
  return textAsStatus('Audio', visibility, [title, artist, album, externalLink].join('\n'));
}
