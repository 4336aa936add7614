import { Get, Header } from '@nestjs/common';
import { Answers, ClientApi, DomainError, Public, TextShape } from '../common/index.js';

/** 426: only as a WebSocket (RFC 9110 §15.5.22). */
class UpgradeRequired extends DomainError {
  readonly status = 426;
  override readonly headers = { Upgrade: 'websocket', Connection: 'Upgrade' };
}

/** What the streams answer to requests that are none; connections are taken over by the gateway. */
@ClientApi('v1', 'streaming')
export class StreamingController {
  @Get()
  @Public()
  connect(): never {
    throw new UpgradeRequired('Connect to this address with a WebSocket');
  }

  /** For clients that look for streams before they connect. */
  @Get('health')
  @Public()
  @Header('Content-Type', 'text/plain')
  @Answers(TextShape, 'text/plain')
  health(): string {
    return 'OK';
  }
}
