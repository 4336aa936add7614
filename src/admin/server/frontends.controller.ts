import { Get, Post } from '@nestjs/common';
import { Type } from 'typebox';
import {
  AcceptsFiles,
  AdminApi,
  AdminOnly,
  Answers,
  type Auth,
  CurrentAuth,
  Describe,
  Described,
  Input,
  Json,
  OptionalText,
  RequiredText,
  Summary,
  TextOrFile,
  UploadedFile,
} from '../../common/index.js';
import { FrontendsService, MAX_BUILD_BYTES } from '../../instance/index.js';
import { AdminFrontendsService } from './admin-frontends.service.js';

const MAX_NAME = 64;
const MAX_URL = 2_000;

const FrontendShape = Type.Object(
  {
    name: Described(Type.String(), 'The name of the web app.'),
    git: Described(Type.String(), 'The address of its source code; empty if unknown.'),
    build_url: Described(Type.String(), 'The address of its archive; empty if unknown.'),
    ref: Described(Type.String(), 'The version that is installed unless another one is named; empty if unknown.'),
    installed: Described(Type.Boolean(), 'Whether a version is installed.'),
    installed_refs: Described(Type.Array(Type.String()), 'The installed versions.'),
  },
  { additionalProperties: false, title: 'Frontend' },
);

class FrontendBody {
  @Describe('The name of the web app.')
  @RequiredText({ max: MAX_NAME })
  name: string;
  @Describe('The version.')
  @OptionalText({ max: MAX_NAME })
  ref?: string;
  @Describe("The archive itself, or its name in the folder `frontends` of the server's data.")
  @TextOrFile()
  file?: string | UploadedFile;
  @Describe('The address of the archive.')
  @OptionalText({ max: MAX_URL })
  build_url?: string;
  @Describe('The folder of the archive that holds the web app.')
  @OptionalText({ max: MAX_URL })
  build_dir?: string;
}

/** `A/frontends`: web apps that this server serves itself (spec §4.1.8). */
@AdminApi('frontends')
export class FrontendsController {
  constructor(
    private readonly frontends: FrontendsService,
    private readonly installs: AdminFrontendsService,
  ) {}

  @Summary('Lists the web apps that this server can serve, and their installed versions.')
  @Get()
  @AdminOnly('admin:read')
  @Answers([FrontendShape])
  async list(): Promise<Json> {
    return Json.of(await this.frontends.list());
  }

  @Summary('Installs a web app from an archive or from its known address.')
  @Post('install')
  @AdminOnly('admin:write')
  @AcceptsFiles({ maxBytes: { file: MAX_BUILD_BYTES } })
  @Answers([FrontendShape])
  async install(@CurrentAuth() actor: Auth, @Input(FrontendBody) body: FrontendBody): Promise<Json> {
    const { name, ref, build_url: buildUrl, build_dir: buildDir } = body;
    const file = body.file instanceof UploadedFile ? await body.file.bytes() : body.file;
    await this.installs.install(actor, { name, ref, file, buildUrl, buildDir });
    return this.list();
  }
}
