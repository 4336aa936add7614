import { Injectable } from '@nestjs/common';
import { Settings } from './store/settings.js';

/** Stands for every app in the setting `apps.reference_shapes`. */
const ALL = '*';

/** The apps that can read answers only in the shapes of the reference: the setting `apps.reference_shapes`. */
@Injectable()
export class ReferenceApps {
  private listed: readonly string[] = [];
  private words: readonly string[] = [];

  constructor(private readonly settings: Settings) {}

  /** Whether an app is one of them, by its name or its `User-Agent`. */
  includes(...names: readonly (string | undefined)[]): boolean {
    const listed = this.settings.get('apps.reference_shapes');
    if (listed !== this.listed) [this.listed, this.words] = [listed, listed.map((word) => word.toLowerCase())];
    if (this.words.length === 0) return false;
    const given = names.map((name = '') => name.toLowerCase());
    return this.words.some((word) => word === ALL || given.some((name) => name.includes(word)));
  }
}
