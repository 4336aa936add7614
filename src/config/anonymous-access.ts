import { Injectable } from '@nestjs/common';
import { Settings } from './store/settings.js';

/** Whose profiles are listed: those of people of this server, and of others. */
export interface ListedProfiles {
  readonly here: boolean;
  readonly elsewhere: boolean;
}

/** What visitors, who are not signed in, may read: the settings `instance.public` and `restrict_unauthenticated`. */
@Injectable()
export class AnonymousAccess {
  constructor(private readonly settings: Settings) {}

  /** Whether visitors may not read a profile, be it that the whole server is closed to them. For pages and documents. */
  closesProfile(isLocal: boolean): boolean {
    return this.closesServer || this.refusesProfile(isLocal);
  }

  /** The same for a post. */
  closesPost(isLocal: boolean): boolean {
    return this.closesServer || this.refusesPost(() => isLocal);
  }

  /** The same for a timeline. */
  closesTimeline(isLocal: boolean): boolean {
    return this.closesServer || this.refusesTimeline(isLocal);
  }

  /** Whether visitors may read nothing. The guards of the API refuse them before any rule below is asked. */
  get closesServer(): boolean {
    return !this.settings.get('instance.public');
  }

  /** Whether the timeline of this server, or the one of everything known here, is for members only. */
  refusesTimeline(isLocal: boolean): boolean {
    const { local, federated } = this.settings.get('restrict_unauthenticated.timelines');
    return isLocal ? local : federated;
  }

  /** Whether a profile is for members only. */
  refusesProfile(isLocal: boolean): boolean {
    const { local, remote } = this.settings.get('restrict_unauthenticated.profiles');
    return isLocal ? local : remote;
  }

  /** Whose profiles stand in lists, for a viewer or for a visitor (`''`). */
  listedProfiles(viewerId: string): ListedProfiles {
    const isListed = (isLocal: boolean) => viewerId !== '' || !this.refusesProfile(isLocal);
    return { here: isListed(true), elsewhere: isListed(false) };
  }

  /** Whether a post is for members only; where it comes from is asked only when it matters. */
  refusesPost(isLocal: () => boolean): boolean {
    const { local, remote } = this.settings.get('restrict_unauthenticated.activities');
    return local === remote ? local : isLocal() === local;
  }

  /** Whether some posts are for members only. */
  refusesSomePosts(): boolean {
    const { local, remote } = this.settings.get('restrict_unauthenticated.activities');
    return local || remote;
  }
}
