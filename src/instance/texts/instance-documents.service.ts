import { Inject, Injectable } from '@nestjs/common';
import { NotFound, sanitizePage } from '../../common/index.js';
import { ENV, type Env } from '../../platform/index.js';
import type { InstanceText } from './instance-text.entity.js';
import { InstanceTextRepository } from './instance-text.repository.js';

/** The documents that the staff writes (spec §4.1.8), and their public addresses. */
const PATHS = {
  'instance-panel': '/instance/panel.html',
  'terms-of-service': '/static/terms-of-service.html',
  'privacy-policy': '/static/privacy-policy.html',
} as const;

export type DocumentName = keyof typeof PATHS;

/** Public texts of the staff, as safe HTML. */
@Injectable()
export class InstanceDocumentsService {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly texts: InstanceTextRepository,
  ) {}

  /** Safe HTML; undefined when the staff wrote none. */
  async find(name: DocumentName): Promise<string | undefined> {
    return (await this.stored(name))?.html;
  }

  /** A document with the time when it was written; undefined when the staff wrote none. */
  stored(name: DocumentName): Promise<InstanceText | undefined> {
    return this.texts.find(name);
  }

  /** Stores a document without its unsafe parts. */
  async replace(name: DocumentName, html: string): Promise<void> {
    await this.texts.replace(name, sanitizePage(html));
  }

  async delete(name: DocumentName): Promise<void> {
    await this.texts.delete(name);
  }

  /** Its public address. */
  urlOf(name: DocumentName): string {
    return `${this.env.baseUrl}${PATHS[name]}`;
  }
}

/** The name of a document. Throws NotFound for another one. */
export function documentName(text: string): DocumentName {
  const name = Object.keys(PATHS).find((known) => known === text);
  if (name === undefined) throw new NotFound();
  return name as DocumentName;
}
