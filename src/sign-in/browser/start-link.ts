import { Injectable } from '@nestjs/common';
import { newToken, sameSecret } from '../../platform/index.js';

/** How long the link of a start works. */
const VALID_MS = 15 * 60 * 1000;

export const START_LINK_PATH = '/auth/start';

interface Issued {
  readonly token: string;
  readonly accountId: string;
  readonly endsAt: number;
}

/**
 * The link that a first start prints, which signs the administrator in once. It is known to the process that printed it
 * only, so that it ends with that start. Whoever reads it could read the printed password as well.
 */
@Injectable()
export class StartLink {
  private issued: Issued | undefined;

  /** The path of a new link; an earlier one ends. */
  issue(accountId: string): string {
    const token = newToken();
    this.issued = { token, accountId, endsAt: performance.now() + VALID_MS };
    return `${START_LINK_PATH}?token=${token}`;
  }

  /** Whether a token would sign somebody in. */
  isValid(token: string): boolean {
    return this.issued !== undefined && performance.now() < this.issued.endsAt && sameSecret(token, this.issued.token);
  }

  /** Ends the link. Returns the account that it signs in; undefined when the token is wrong, spent or too old. */
  spend(token: string): string | undefined {
    if (!this.isValid(token)) return undefined;
    const accountId = this.issued?.accountId;
    this.issued = undefined;
    return accountId;
  }
}
