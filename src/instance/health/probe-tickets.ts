import { createHmac } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { deriveKey, sameSecret, SECRET_KEY } from '../../platform/index.js';

/** How long a ticket is good: proxies on the way may log it. */
const VALID_SECONDS = 300;

/**
 * Tickets for the probe: whoever knows SECRET_KEY can make them, so an operator's command beside the server needs no
 * account, and an answer shows that it comes from this very server.
 */
@Injectable()
export class ProbeTickets {
  private readonly key: Buffer;

  constructor(@Inject(SECRET_KEY) secretKey: Buffer) {
    this.key = deriveKey(secretKey, 'probe tickets');
  }

  /** A ticket that is good for five minutes. */
  issue(now = Date.now()): string {
    const end = Math.floor(now / 1000) + VALID_SECONDS;
    return `${end}.${this.signature(end)}`;
  }

  isValid(ticket: string, now = Date.now()): boolean {
    const [text = '', signature = ''] = ticket.split('.', 2);
    const end = Number(text) * 1000;
    const isCurrent = /^\d{1,12}$/.test(text) && end > now && end <= now + VALID_SECONDS * 1000;
    return isCurrent && sameSecret(signature, this.signature(Number(text)));
  }

  private signature(end: number): string {
    return createHmac('sha256', this.key).update(String(end)).digest('base64url');
  }
}
