import { Inject, Injectable } from '@nestjs/common';
import { openSecret, SealBrokenError, sealSecret, SECRET_KEY } from '../../platform/index.js';

const CONTEXT = 'chat-token';
const MAX_AGE_MS = 86_400_000;

/** `chat_token` (spec §2.1): opens the shoutbox for the bearer of an access token, for a day. */
@Injectable()
export class ChatTokens {
  constructor(@Inject(SECRET_KEY) private readonly secretKey: Buffer) {}

  /** @param tokenId of the access token */
  seal(tokenId: string): string {
    return sealSecret(this.secretKey, `${tokenId} ${Date.now()}`, CONTEXT).toString('base64url');
  }

  /** The id of the access token; undefined for a token that is too old or was not made here. */
  open(chatToken: string): string | undefined {
    try {
      const [tokenId, madeAt] = openSecret(this.secretKey, Buffer.from(chatToken, 'base64url'), CONTEXT)
        .toString()
        .split(' ');
      return Date.now() - Number(madeAt) <= MAX_AGE_MS ? tokenId : undefined;
    } catch (error) {
      if (error instanceof SealBrokenError) return undefined;
      throw error;
    }
  }
}
