import { ForwardOnly } from '../forward-only.js';

const hostOf = (address: string) => `lower(split_part(${address}, '/', 3))`;

/** Accounts and posts of other servers are shown under their ids when their pages lie on another host (threat F29). */
export class OwnPages1764000151000 extends ForwardOnly {
  readonly name = 'OwnPages1764000151000';
  protected readonly statements = `
    update accounts set url = null, version = version + 1
      where domain is not null and ${hostOf('url')} <> ${hostOf('ap_id')};
    update statuses set url = null, version = version + 1 where not local and ${hostOf('url')} <> ${hostOf('uri')};`;
}
