import type { NextFunction, Request, Response } from 'express';
import type { Brand } from '../../platform/index.js';

/** The word for the service's brand in the specification and in this code. */
const NEUTRAL = 'svc';

/** An identifier under another brand: `brandKey('acme', 'svc_chat_token')` is `acme_chat_token`. Only the first `svc` counts. */
export function brandKey(brand: string, key: string): string {
  return brand === NEUTRAL ? key : key.replace(NEUTRAL, brand);
}

/** The object of our own extensions in an answer, under the brand's name. */
export function extensionOf<Extension>(json: object, brand: string): Extension {
  return (json as Record<string, Extension>)[brandKey(brand, 'svc')] as Extension;
}

/** The neutral form of a parameter's name: `acme_settings_store` is `svc_settings_store` for the brand `acme`. */
export function neutralKey(brand: string, key: string): string {
  return brand !== NEUTRAL && key.startsWith(`${brand}_`) ? NEUTRAL + key.slice(brand.length) : key;
}

/** Middleware that maps `/api/v1/<brand>/…`, `/api/<brand>/…` and `/<brand>/admin/…` to their `svc` forms, which stay valid. */
export function brandPaths(brand: Brand) {
  let { word } = brand;
  let branded = pathsOf(word);
  return (request: Request, _response: Response, next: NextFunction): void => {
    if (word !== brand.word) {
      word = brand.word;
      branded = pathsOf(word);
    }
    if (word !== NEUTRAL) request.url = request.url.replace(branded, `$1${NEUTRAL}`);
    next();
  };
}

const pathsOf = (word: string) => new RegExp(`^(/api/(?:v[12]/)?|/(?=${word}/admin(?:[/?]|$)))${word}(?=[/?]|$)`);
