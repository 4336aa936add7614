import { Get, Inject, Param, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Type } from 'typebox';
import { Answers, type Json, NotFound, Public, RootApi, Summary } from '../../common/index.js';
import { ENV, type Env } from '../../platform/index.js';
import { InstanceDocuments } from './instance-documents.js';
import { NodeInfo20Shape, NodeInfo21Shape, NodeInfoLinksShape } from './nodeinfo.shape.js';
import { isNodeInfoVersion, nodeInfoLinks, nodeInfoType } from './nodeinfo.view.js';

/** NodeInfo (nodeinfo.diaspora.software): the kind of this server, for other servers and statistics. */
@RootApi('')
export class NodeInfoController {
  private readonly discovery: Json;

  constructor(
    @Inject(ENV) { baseUrl }: Env,
    private readonly documents: InstanceDocuments,
  ) {
    this.discovery = nodeInfoLinks(baseUrl);
  }

  @Summary('Lists the NodeInfo documents of this server.')
  @Get('.well-known/nodeinfo')
  @Public()
  @Answers(NodeInfoLinksShape)
  links(): Json {
    return this.discovery;
  }

  /** The router's path has no `.json` ending: it is cut off earlier. */
  @Summary('Describes this server for statistics, by version of NodeInfo.')
  @Get('nodeinfo/:version')
  @Public()
  @Answers(Type.Union([NodeInfo20Shape, NodeInfo21Shape]))
  async show(@Param('version') version: string, @Res({ passthrough: true }) response: Response): Promise<Json> {
    if (!isNodeInfoVersion(version)) throw new NotFound('Nodeinfo schema version not handled');
    const document = await this.documents.nodeInfo(version);
    response.setHeader('Content-Type', nodeInfoType(version));
    return document;
  }
}
