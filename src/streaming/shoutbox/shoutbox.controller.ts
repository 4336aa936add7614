import { Get } from '@nestjs/common';
import { RootApi, Scopes, UpgradeRequired } from '../../common/index.js';

/** A plain request to the address of the shoutbox. */
@RootApi('socket/websocket')
export class ShoutboxController {
  @Get()
  @Scopes()
  connect(): never {
    throw new UpgradeRequired('Connect to this address with a WebSocket');
  }
}
