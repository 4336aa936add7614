import { Get, Header, Req } from '@nestjs/common';
import { Type } from 'typebox';
import {
  Answers,
  type ApiRequest,
  Described,
  type HtmlPage,
  type Json,
  Pages,
  Public,
  RootApi,
  Summary,
} from '../../common/index.js';
import { SCRIPTS } from './reference.page.js';
import { ReferenceService } from './reference.service.js';

const OpenApiShape = Type.Object({
  openapi: Described(Type.String(), 'The version of OpenAPI.'),
  info: Described(Type.Object({}), 'The title and the version of the API.'),
  paths: Described(Type.Object({}), 'The operations by path and method.'),
});

/** The API reference, as OpenAPI and as a page. */
@RootApi('api')
export class ReferenceController {
  constructor(
    private readonly reference: ReferenceService,
    private readonly pages: Pages,
  ) {}

  @Summary('Returns this document.')
  @Get('openapi')
  @Public()
  @Answers(OpenApiShape)
  @Header('Cache-Control', 'public, max-age=300')
  document(): Json {
    return this.reference.openApi();
  }

  @Get('docs')
  @Public()
  @Answers(Type.String(), 'text/html')
  @Header('Cache-Control', 'no-cache')
  page(@Req() request: ApiRequest): HtmlPage {
    const t = this.pages.translator(request);
    return this.pages.document(t, this.reference.page(t), SCRIPTS);
  }
}
