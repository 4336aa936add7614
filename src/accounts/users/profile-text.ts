import { isBlank, TextWorkers } from '../../common/index.js';
import { Injectable } from '@nestjs/common';
import { PlainTextFormatter } from '../core/plain-text-formatter.js';

/** Formats bios and profile fields. */
@Injectable()
export class ProfileText {
  constructor(
    private readonly plain: PlainTextFormatter,
    private readonly texts: TextWorkers,
  ) {}

  /** A bio as sanitised HTML, with links to the accounts it mentions. */
  async bioHtml(source: string): Promise<string> {
    return (await this.plain.format(source)).html;
  }

  /** The values of profile fields as sanitised HTML. */
  fieldsHtml(values: readonly string[]): Promise<string[]> {
    return this.texts.run('formatFields', values);
  }
}

/** A display name as stored: trimmed, and empty when it has no visible character (threat U3). */
export function displayNameOf(text: string): string {
  return isBlank(text) ? '' : text.trim();
}
