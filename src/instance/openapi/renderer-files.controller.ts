import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { Get, Param, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Type } from 'typebox';
import { Answers, NotFound, Public, RootApi } from '../../common/index.js';

const require = createRequire(import.meta.url);
const FOLDER = dirname(require.resolve('swagger-ui-dist/package.json'));
const { version: VERSION } = require('swagger-ui-dist/package.json') as { version: string };

const FOR_GOOD = 'public, max-age=31536000, immutable';

/** The only files of the package that are served. */
const FILES = { script: 'swagger-ui-bundle.js', style: 'swagger-ui.css' } as const;
const SERVED: ReadonlySet<string> = new Set(Object.values(FILES));

/** The paths of Swagger UI. They change with its version, so that caches may store the files for good. */
export const RENDERER = {
  script: `/api/docs/${VERSION}/${FILES.script}`,
  style: `/api/docs/${VERSION}/${FILES.style}`,
} as const;

/** The files of the renderer of the API reference (ADR 34). They are read from the disk for each request: few ask for them. */
@RootApi('api/docs')
export class RendererFilesController {
  @Get(':version/:file')
  @Public()
  @Answers(Type.String(), 'text/javascript')
  file(@Param('version') version: string, @Param('file') file: string, @Res() response: Response): void {
    if (version !== VERSION || !SERVED.has(file)) throw new NotFound();
    response.set({ 'Cache-Control': FOR_GOOD, ETag: `"${VERSION}"` });
    response.sendFile(file, { root: FOLDER, lastModified: false, cacheControl: false });
  }
}
