import { createHash } from 'node:crypto';
import { readProjectFile } from '../../platform/index.js';

/** A file that pages refer to. Its name changes with its content, so that caches may store it for good. */
export interface PageAsset {
  readonly path: string;
  readonly type: string;
  readonly content: Buffer;
}

/** The parts of the one stylesheet, in their order. */
const STYLES = ['base', 'app', 'visitors', 'social', 'compose', 'staff', 'people'];

export const STYLESHEET = asset(
  'style.css',
  'text/css; charset=utf-8',
  STYLES.map((name) => `styles/${name}.css`),
);
/** The script of the pages; every page works without it. */
export const SCRIPT = asset('app.js', 'text/javascript; charset=utf-8');
/** The style and the script of the API reference, around those of Swagger UI. */
export const REFERENCE_STYLE = asset('reference.css', 'text/css; charset=utf-8');
export const REFERENCE_SCRIPT = asset('reference.js', 'text/javascript; charset=utf-8');
export const MARK = asset('mark.svg', 'image/svg+xml');

/** Every file that pages refer to. */
export const PAGE_ASSETS: readonly PageAsset[] = [STYLESHEET, SCRIPT, REFERENCE_STYLE, REFERENCE_SCRIPT, MARK];

function asset(file: string, type: string, parts = [file]): PageAsset {
  const content = Buffer.concat(parts.map((part) => readProjectFile(`assets/pages/${part}`)));
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 12);
  return { path: `/pages/${file.replace('.', `-${hash}.`)}`, type, content };
}
