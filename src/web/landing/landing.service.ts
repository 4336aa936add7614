import { Inject, Injectable } from '@nestjs/common';
import type { Html } from '../../common/index.js';
import { AnonymousAccess, Settings } from '../../config/index.js';
import {
  InstanceDocuments,
  InstanceDocumentsService,
  type Overview,
  pictureUrl,
  shortDescription,
} from '../../instance/index.js';
import { ENV, type Env, knownUrl } from '../../platform/index.js';
import { registrationMessage } from '../parts/operator-text.part.js';

/** The registration mode. */
export type Admission = 'open' | 'approval' | 'invited' | 'closed';

/** The facts that the landing page shows on every server. */
export interface Doorplate {
  readonly name: string;
  /** The address to enter in an app. */
  readonly address: string;
}

/** The facts that it adds on a public server. */
export interface Portrait extends Overview {
  /** HTML that is not sanitised yet. */
  readonly description: string;
  /** The same in plain text. */
  readonly summary: string;
  readonly image: string;
  /** The main language of the server's users: a tag. */
  readonly language: string;
  /** The domain of the users' handles. */
  readonly handleDomain: string;
  readonly admission: Admission;
  /** What the operator says to people who want an account. */
  readonly message: Html | undefined;
  readonly email: string;
  readonly instanceUrl: string;
  /** Whether visitors may read what people here write. */
  readonly isOpen: boolean;
}

export interface LandingFacts extends Doorplate {
  /** Null on a server that is not public. */
  readonly portrait: Portrait | null;
}

/** The facts of the page about a public server. */
export interface AboutFacts extends Doorplate {
  readonly portrait: Portrait;
  /** What the staff wrote about it: sanitised HTML. */
  readonly panel: string | undefined;
  readonly hasTerms: boolean;
  readonly hasPrivacyPolicy: boolean;
}

/** Gathers the facts of the landing page. */
@Injectable()
export class LandingService {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly settings: Settings,
    private readonly anonymous: AnonymousAccess,
    private readonly instance: InstanceDocuments,
    private readonly documents: InstanceDocumentsService,
  ) {}

  async facts(): Promise<LandingFacts> {
    const { settings, env } = this;
    return {
      name: settings.get('instance.name'),
      address: knownUrl(env.baseUrl).host,
      portrait: settings.get('instance.public') ? await this.portrait() : null,
    };
  }

  /** Undefined on a server that is not public. */
  async about(): Promise<AboutFacts | undefined> {
    const { portrait, ...plate } = await this.facts();
    if (!portrait) return undefined;
    const [panel, terms, privacy] = await Promise.all([
      this.documents.find('instance-panel'),
      this.documents.find('terms-of-service'),
      this.documents.find('privacy-policy'),
    ]);
    return { ...plate, portrait, panel, hasTerms: terms !== undefined, hasPrivacyPolicy: privacy !== undefined };
  }

  private async portrait(): Promise<Portrait> {
    const { settings, env } = this;
    const [language = 'en'] = settings.get('instance.languages');
    return {
      ...(await this.instance.overview()),
      description: settings.get('instance.description'),
      summary: shortDescription(settings),
      image: pictureUrl(settings.get('instance.thumbnail'), env),
      language,
      handleDomain: env.handleDomain,
      admission: admissionOf(settings),
      message: registrationMessage(settings),
      email: settings.get('instance.email'),
      isOpen: !this.anonymous.closesTimeline(true),
      instanceUrl: `${env.baseUrl}/api/v2/instance`,
    };
  }
}

/** How people can sign up now. */
export function admissionOf(settings: Settings): Admission {
  if (!settings.get('instance.registrations_open'))
    return settings.get('instance.invites_enabled') ? 'invited' : 'closed';
  return settings.get('instance.account_approval_required') ? 'approval' : 'open';
}
