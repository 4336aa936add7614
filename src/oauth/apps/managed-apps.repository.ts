import { Injectable } from '@nestjs/common';
import { And, Equal, type FindOptionsWhere, ILike, Not } from 'typeorm';
import { MAX_LISTED } from '../../common/index.js';
import { countFound, UnitOfWork } from '../../platform/index.js';
import { OauthApp, OWN_CLIENT_ID } from '../model/oauth.entities.js';

/** Which apps a list holds; undefined and empty texts are no condition. */
export interface AppFilter {
  /** A part of the name. */
  readonly name?: string | undefined;
  readonly clientId?: string | undefined;
  readonly trusted?: boolean | undefined;
}

/** An app as its administrators see it. */
export type ManagedApp = Pick<
  OauthApp,
  'id' | 'name' | 'website' | 'redirectUris' | 'scopes' | 'clientId' | 'clientSecret' | 'trusted'
>;

/** Values of an app; undefined keeps what is there. */
export type AppValues = {
  readonly [Key in 'name' | 'website' | 'redirectUris' | 'scopes' | 'trusted']?: OauthApp[Key] | undefined;
};

/** Apps for administrators: all but the server's own. */
@Injectable()
export class ManagedAppsRepository {
  constructor(private readonly uow: UnitOfWork) {}

  /** The newest first. */
  page(filter: AppFilter, limit: number, offset: number): Promise<ManagedApp[]> {
    const page = { order: { id: 'DESC' }, take: limit, skip: offset } as const;
    return this.uow.manager.find(OauthApp, { where: conditions(filter), ...page });
  }

  /** Up to {@link MAX_LISTED}. */
  count(filter: AppFilter): Promise<number> {
    return countFound(this.uow.manager, OauthApp, conditions(filter), MAX_LISTED);
  }

  async byId(id: string): Promise<ManagedApp | undefined> {
    return (await this.uow.manager.findOneBy(OauthApp, { id, clientId: Not(OWN_CLIENT_ID) })) ?? undefined;
  }

  async update(id: string, values: AppValues): Promise<void> {
    await this.uow.manager.update(OauthApp, { id }, given(values));
  }

  /** Its tokens go with it. */
  async delete(id: string): Promise<void> {
    await this.uow.manager.delete(OauthApp, { id });
  }
}

function conditions({ name, clientId, trusted }: AppFilter): FindOptionsWhere<OauthApp> {
  const part = name === undefined ? undefined : ILike(`%${name.replace(/[\\%_]/g, '\\$&')}%`);
  const isOther = Not(OWN_CLIENT_ID);
  const client = !clientId ? isOther : And(isOther, Equal(clientId));
  return given({ name: part, clientId: client, trusted });
}

/** Without what is undefined. */
function given<T extends object>(values: T): { [Key in keyof T]: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never;
}
