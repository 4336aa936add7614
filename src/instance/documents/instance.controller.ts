import { Get } from '@nestjs/common';
import { Answers, ClientApi, type Json, Public, Summary } from '../../common/index.js';
import { InstanceDocuments } from './instance-documents.js';
import { ActivityShape, InstanceV1Shape, InstanceV2Shape, PeersShape, RulesShape } from './instance.shape.js';

@ClientApi('v1', 'instance')
export class InstanceV1Controller {
  constructor(private readonly documents: InstanceDocuments) {}

  @Summary('Describes this server, in the first form.', { deprecated: true })
  @Get()
  @Public()
  @Answers(InstanceV1Shape)
  show(): Promise<Json> {
    return this.documents.v1();
  }

  @Summary('Lists the domains of the servers that this one knows.')
  @Get('peers')
  @Public()
  @Answers(PeersShape)
  peers(): Promise<Json> {
    return this.documents.peers();
  }

  @Summary('Shows the posts, active accounts and sign-ups of the last twelve weeks.')
  @Get('activity')
  @Public()
  @Answers(ActivityShape)
  activity(): Promise<Json> {
    return this.documents.activity();
  }

  @Summary('Lists the rules of this server.')
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

  @Summary('Describes this server: its limits, rules, contact and features.')
  @Get()
  @Public()
  @Answers(InstanceV2Shape)
  show(): Promise<Json> {
    return this.documents.v2();
  }
}
