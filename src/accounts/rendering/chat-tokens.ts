import { Inject, Injectable } from '@nestjs/common';
import type { Auth } from '../../common/index.js';
import { openSecret, SealBrokenError, sealSecret, SECRET_KEY } from '../../platform/index.js';

const CONTEXT = 'chat-token';
const MAX_AGE_MS = 86_400_000;

/** What names an access token: its id, which renewals leave as it is, and the time when it was issued. */
export type TokenIdentity = Readonly<Required<Pick<Auth, 'tokenIssuedAt'>> & { tokenId: string }>;

/** `chat_token` (spec §2.1): opens the shoutbox for the bearer of an access token, for a day. */
@Injectable()
export class ChatTokens {
  constructor(@Inject(SECRET_KEY) private readonly secretKey: Buffer) {}

  /** Seals the identity of the access token. */
  seal({ tokenId, tokenIssuedAt }: TokenIdentity): string {
    return sealSecret(this.secretKey, `${tokenId} ${Date.now()} ${tokenIssuedAt}`, CONTEXT).toString('base64url');
  }

  /** The access token; undefined for a token that is too old or was not made here. */
  open(chatToken: string): TokenIdentity | undefined {
    try {
      const [tokenId = '', madeAt, tokenIssuedAt = ''] = openSecret(
        this.secretKey,
        Buffer.from(chatToken, 'base64url'),
        CONTEXT,
      )
        .toString()
        .split(' ');
      return Date.now() - Number(madeAt) <= MAX_AGE_MS ? { tokenId, tokenIssuedAt } : undefined;
    } catch (error) {
      if (error instanceof SealBrokenError) return undefined;
      throw error;
    }
  }
}
