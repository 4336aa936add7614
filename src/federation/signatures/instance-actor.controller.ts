import { Get, Inject, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Public, RateLimit, RootApi } from '../../common/index.js';
import { ENV, type Env } from '../../platform/index.js';
import { ACTIVITY_JSON } from '../wire/uris.js';
import { serviceActor } from './service-actor.js';
import { instanceActorName, instanceActorUri, SigningKeys } from './signing-keys.js';

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
    const { baseUrl, handleDomain } = this.env;
    const [id, name] = [instanceActorUri(baseUrl), instanceActorName(handleDomain)];
    const actor = serviceActor(this.env, id, name, await this.keys.instancePublicPem());
    const body = { ...actor, manuallyApprovesFollowers: true };
    response.set({ 'content-type': ACTIVITY_JSON, 'cache-control': 'public, max-age=180' });
    response.send(Buffer.from(JSON.stringify(body)));
  }
}
