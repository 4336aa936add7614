/**
 * A sign-in got new tokens. The event carries the new access token in clear, for listeners that seal it for its owner.
 * Only listeners of this process may receive it, since a job would store it.
 */
export class TokenRenewed {
  static readonly type = 'oauth.token-renewed';

  constructor(
    readonly tokenId: string,
    readonly accessToken: string,
  ) {}

  /** Jobs are stored as JSON. */
  toJSON(): never {
    throw new Error('The event holds a secret and must not be stored');
  }
}
