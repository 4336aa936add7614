import { OptionalId, RequiredText } from '../common/index.js';

const MAX_TAG = 128;

export class TagStreamQuery {
  @RequiredText({ max: MAX_TAG }) tag: string;
}

export class ListStreamQuery {
  @OptionalId() list?: string;
}
