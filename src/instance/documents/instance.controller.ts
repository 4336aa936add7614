import { Get } from '@nestjs/common';
import { Answers, ClientApi, type Json, Public } from '../../common/index.js';
import { InstanceDocuments } from './instance-documents.js';
import { ActivityShape, InstanceV1Shape, InstanceV2Shape, PeersShape, RulesShape } from './instance.shape.js';

@ClientApi('v1', 'instance')
export class InstanceV1Controller {
  constructor(private readonly documents: InstanceDocuments) {}

  @Get()
  @Public()
  @Answers(InstanceV1Shape)
  show(): Promise<Json> {
    return this.documents.v1();
  }

  @Get('peers')
  @Public()
  @Answers(PeersShape)
  peers(): Promise<Json> {
    return this.documents.peers();
  }

  @Get('activity')
  @Public()
  @Answers(ActivityShape)
  activity(): Promise<Json> {
    return this.documents.activity();
  }

  @Get('rules')
  @Public()
  @Answers(RulesShape)
  rules(): Promise<Json> {
    return this.documents.rules();
  }
}

@ClientApi('v2', 'instance')
export class InstanceV2Controller {
  constructor(private readonly documents: InstanceDocuments) {}

  @Get()
  @Public()
  @Answers(InstanceV2Shape)
  show(): Promise<Json> {
    return this.documents.v2();
  }
}
