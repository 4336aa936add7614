import { Get, Inject, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Public, RateLimit, RootApi } from '../../common/index.js';
import { ENV, type Env } from '../../platform/index.js';
import { ACTIVITY_JSON, documentContext } from '../wire/uris.js';
import { instanceActorName, instanceActorUri, keyIdOf, SigningKeys } from './signing-keys.js';

/**
 * The actor that stands for this server: it signs what is fetched from others. Its document needs no signature, or two
 * servers that demand signatures would wait for each other's key.
 */
@RootApi('internal/fetch')
export class InstanceActorController {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly keys: SigningKeys,
  ) {}

  @Get()
  @Public()
  @RateLimit('ap_routes')
  async actor(@Res() response: Response): Promise<void> {
    const body = instanceActor(this.env, await this.keys.instancePublicPem());
    response.set({ 'content-type': ACTIVITY_JSON, 'cache-control': 'public, max-age=180' });
    response.send(Buffer.from(JSON.stringify(body)));
  }
}

function instanceActor({ baseUrl, handleDomain }: Env, publicKeyPem: string): Record<string, unknown> {
  const id = instanceActorUri(baseUrl);
  const name = instanceActorName(handleDomain);
  return {
    '@context': documentContext(baseUrl),
    id,
    type: 'Application',
    preferredUsername: name,
    name,
    url: id,
    inbox: `${id}/inbox`,
    endpoints: { sharedInbox: `${baseUrl}/inbox` },
    publicKey: { id: keyIdOf(id), owner: id, publicKeyPem },
    manuallyApprovesFollowers: true,
    invisible: true,
  };
}
