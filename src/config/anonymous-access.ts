import { Injectable } from '@nestjs/common';
import { Settings } from './store/settings.js';

/** The profiles that are listed: local ones, remote ones. */
export interface ListedProfiles {
  readonly here: boolean;
  readonly elsewhere: boolean;
}

/** Read access of visitors, who are not signed in: the settings `instance.public` and `restrict_unauthenticated`. */
@Injectable()
export class AnonymousAccess {
  constructor(private readonly settings: Settings) {}

  /** Whether a profile is closed to visitors, for example because the whole server is. For pages and documents. */
  closesProfile(isLocal: boolean): boolean {
    return this.closesServer || this.refusesProfile(isLocal);
  }

  /** The same for a post. */
  closesStatus(isLocal: boolean): boolean {
    return this.closesServer || this.refusesStatus(isLocal);
  }

  /** The same for a timeline. */
  closesTimeline(isLocal: boolean): boolean {
    return this.closesServer || this.refusesTimeline(isLocal);
  }

  /** Whether visitors may read nothing. The guards of the API check this before any rule below. */
  get closesServer(): boolean {
    return !this.settings.get('instance.public');
  }

  /** Whether the local or the federated timeline is for members only. */
  refusesTimeline(isLocal: boolean): boolean {
    const { local, federated } = this.settings.get('restrict_unauthenticated.timelines');
    return isLocal ? local : federated;
  }

  /** Whether a profile is for members only. */
  refusesProfile(isLocal: boolean): boolean {
    const { local, remote } = this.settings.get('restrict_unauthenticated.profiles');
    return isLocal ? local : remote;
  }

  /** Whether some profiles are for members only. */
  refusesSomeProfiles(): boolean {
    const { local, remote } = this.settings.get('restrict_unauthenticated.profiles');
    return local || remote;
  }

  /** The profiles in lists, for a viewer or for a visitor (`''`). */
  listedProfiles(viewerId: string): ListedProfiles {
    const isListed = (isLocal: boolean) => viewerId !== '' || !this.refusesProfile(isLocal);
    return { here: isListed(true), elsewhere: isListed(false) };
  }

  /** Whether a post is for members only. */
  refusesStatus(isLocal: boolean): boolean {
    const { local, remote } = this.settings.get('restrict_unauthenticated.activities');
    return isLocal ? local : remote;
  }

  /** Whether some posts are for members only. */
  refusesSomeStatuses(): boolean {
    const { local, remote } = this.settings.get('restrict_unauthenticated.activities');
    return local || remote;
  }
}
