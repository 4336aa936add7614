import { Injectable } from '@nestjs/common';
import { Invalid, phrase, type Reason, RemoteFailure } from '../../common/index.js';
import { Outbound, OutboundError, type OutboundRequest } from '../../platform/index.js';

const SERVER_ERROR = 500;

/** Fetches pictures and packs from other servers, through the guarded fetcher (threat S7). */
@Injectable()
export class PackFetch {
  constructor(private readonly outbound: Outbound) {}

  /** @throws Invalid when the download fails, RemoteFailure when the other server or the connection fails */
  async bytes(request: OutboundRequest): Promise<Buffer> {
    try {
      const { status, body } = await this.outbound.fetch(request);
      if (status === 200) return body;
      const text = phrase('The other server answered {status}', { status: String(status) });
      throw status >= SERVER_ERROR ? new RemoteFailure(text) : new Invalid(text);
    } catch (cause) {
      if (!(cause instanceof OutboundError)) throw cause;
      const failed = cause.kind === 'network' || cause.kind === 'timeout';
      throw failed ? new RemoteFailure(cause.publicText, { cause }) : new Invalid(cause.publicText, { cause });
    }
  }
}

/** Turns a failed download into the caller's input error (400), for routes whose contract has no 5xx. */
export async function asInvalid<T>(fetching: Promise<T>, reason?: Reason): Promise<T> {
  try {
    return await fetching;
  } catch (cause) {
    if (!(cause instanceof RemoteFailure)) throw cause;
    throw new Invalid(reason ?? cause.reason, { cause });
  }
}
