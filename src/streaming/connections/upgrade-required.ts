import { DomainError } from '../../common/index.js';

/** 426: the address takes WebSockets only (RFC 9110 §15.5.22). */
export class UpgradeRequired extends DomainError {
  readonly status = 426;
  override readonly headers = { Upgrade: 'websocket', Connection: 'Upgrade' };
}
