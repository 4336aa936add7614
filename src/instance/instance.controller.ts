import { Get } from '@nestjs/common';
import { ClientApi, type Json, Public } from '../common/index.js';
import { InstanceDocuments } from './instance-documents.js';

@ClientApi('v1', 'instance')
export class InstanceV1Controller {
  constructor(private readonly documents: InstanceDocuments) {}

  @Get()
  @Public()
  show(): Promise<Json> {
    return this.documents.v1();
  }

  @Get('peers')
  @Public()
  peers(): Promise<Json> {
    return this.documents.peers();
  }

  @Get('activity')
  @Public()
  activity(): Promise<Json> {
    return this.documents.activity();
  }

  @Get('rules')
  @Public()
  rules(): Promise<Json> {
    return this.documents.rules();
  }
}

@ClientApi('v2', 'instance')
export class InstanceV2Controller {
  constructor(private readonly documents: InstanceDocuments) {}

  @Get()
  @Public()
  show(): Promise<Json> {
    return this.documents.v2();
  }
}
