import { SetMetadata } from '@nestjs/common';

const RAW_BODY = 'raw-body';

/**
 * The handler takes JSON of these media types as the bytes that were sent: a signature covers them. They are
 * `request.rawBody`; the input has only path and query.
 */
export const RawBody = (...mediaTypes: string[]) => SetMetadata(RAW_BODY, mediaTypes);

/** The media types that {@link RawBody} declared for a handler. */
export function rawTypesOf(handler: object): readonly string[] | undefined {
  return Reflect.getMetadata(RAW_BODY, handler) as readonly string[] | undefined;
}
