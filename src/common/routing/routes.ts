import { applyDecorators, Controller, HttpCode, RequestMethod } from '@nestjs/common';
import { HTTP_CODE_METADATA, METHOD_METADATA } from '@nestjs/common/constants.js';
import { AdminRefusals } from '../errors/refuses.js';

/** A controller of the client API: `api/v1/<path>`. */
export const ClientApi = (version: 'v1' | 'v2', path: string) => controller([`api/${version}/${path}`]);

/** A controller of the service's own API, under both its prefixes (spec, Conventions). */
export const SvcApi = (path: string) => controller([`api/v1/svc/${path}`, `api/svc/${path}`]);

/** A controller of the administrative API, under both its prefixes. */
export const AdminApi = (path: string) =>
  applyDecorators(controller([`api/v1/svc/admin/${path}`, `api/svc/admin/${path}`]), AdminRefusals());

/** A controller outside the APIs: log-in, discovery, federation, pages. The path may be empty. */
export const RootApi = (path: string) => controller([path]);

function controller(paths: string[]): ClassDecorator {
  return applyDecorators(Controller(paths), answerPostsWith200);
}

/** A POST answers 200 here, not Nest's 201, unless its handler says otherwise with `@HttpCode`. */
const answerPostsWith200: ClassDecorator = (target) => {
  const prototype = target.prototype as object;
  for (const [name, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
    const handler: unknown = descriptor.value;
    if (typeof handler !== 'function') continue;
    const isPost = Reflect.getMetadata(METHOD_METADATA, handler) === RequestMethod.POST;
    if (isPost && !Reflect.hasMetadata(HTTP_CODE_METADATA, handler)) HttpCode(200)(prototype, name, descriptor);
  }
};
