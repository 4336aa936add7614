import { Get } from '@nestjs/common';
import { RootApi, Scopes } from '../../common/index.js';
import { UpgradeRequired } from '../connections/upgrade-required.js';

/** A plain request to the address of the shoutbox. */
@RootApi('socket/websocket')
export class ShoutboxController {
  @Get()
  @Scopes()
  connect(): never {
    throw new UpgradeRequired('Connect to this address with a WebSocket');
  }
}
