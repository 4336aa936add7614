import { Inject, Injectable } from '@nestjs/common';
import { ENV, type Env } from './env.js';

/**
 * The word that stands for `svc` in the API of this process: `COMPAT_BRAND`, until the setting `instance.compat_brand` says
 * otherwise. Read it where you use it: it may change at any time.
 */
@Injectable()
export class Brand {
  private current: string;

  constructor(@Inject(ENV) { brand }: Pick<Env, 'brand'>) {
    this.current = brand;
  }

  get word(): string {
    return this.current;
  }

  configure({ word }: { readonly word: string }): void {
    this.current = word;
  }
}
