import { Logger } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { untrustedPeer } from './client-address.js';

const logger = new Logger('Http');

/**
 * Middleware that warns the operator of the first request from a proxy that `TRUSTED_PROXIES` does not name: all
 * clients of such a proxy share one count of wrong passwords (threat H15). Any client can forge these headers, so later
 * requests are not logged.
 */
export function warnOfUnknownProxy(trusted: readonly string[]) {
  let isWatching = true;
  return (request: Request, _response: Response, next: NextFunction): void => {
    if (isWatching && isForwarded(request)) {
      const peer = untrustedPeer(request, trusted);
      if (peer !== undefined) {
        isWatching = false;
        logger.warn(
          `${peer} forwards requests, but TRUSTED_PROXIES does not name it, so the limits on guessing take all of its ` +
            `clients for one. If it is your proxy, set TRUSTED_PROXIES=${[...trusted, peer].join(',')}. If it is not, ` +
            'do nothing: its headers are not believed.',
        );
      }
    }
    next();
  };
}

function isForwarded({ headers }: Request): boolean {
  return headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined;
}
