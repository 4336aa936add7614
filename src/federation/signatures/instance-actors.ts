import { Inject, Injectable } from '@nestjs/common';
import { Settings } from '../../config/index.js';
import { ENV, type Env } from '../../platform/index.js';
import { documentContext } from '../wire/uris.js';
import { serviceActor } from './service-actor.js';
import { instanceActorName, instanceActorUri, SigningKeys } from './signing-keys.js';

type Document = Readonly<Record<string, unknown>>;

/** The documents of the actors that stand for this server. They share one pair of keys. */
@Injectable()
export class InstanceActors {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly settings: Settings,
    private readonly keys: SigningKeys,
  ) {}

  /** The actor that signs what is fetched from other servers. */
  async fetching(): Promise<Document> {
    return { ...(await this.actor(instanceActorUri(this.env.baseUrl))), manuallyApprovesFollowers: true };
  }

  /**
   * The actor at the root of this server. Lemmy sends what is for all servers, such as deletions of accounts, only to those
   * that have one there, with a name, a date, an inbox and an outbox.
   */
  async atRoot(): Promise<Document> {
    const { baseUrl } = this.env;
    return {
      ...(await this.actor(`${baseUrl}/`)),
      name: this.settings.get('instance.name'),
      inbox: `${baseUrl}/inbox`,
      outbox: this.outboxUri,
      published: (await this.keys.instanceCreatedAt()).toISOString(),
    };
  }

  /** What these actors publish: nothing. */
  outbox(): Document {
    const context = documentContext(this.env.baseUrl);
    return { '@context': context, id: this.outboxUri, type: 'OrderedCollection', totalItems: 0, orderedItems: [] };
  }

  private get outboxUri(): string {
    return `${instanceActorUri(this.env.baseUrl)}/outbox`;
  }

  private async actor(id: string): Promise<Document> {
    return serviceActor(this.env, id, instanceActorName(this.env.handleDomain), await this.keys.instancePublicPem());
  }
}
