import { AnyJson, BooleanLike, Describe, NestedList, RequiredText, TextList } from '../../common/index.js';

const MAX_NAME = 200;
const MAX_ITEMS = 1_000;

export class ConfigurationQuery {
  @Describe('Whether to list only settings that were changed here.')
  @BooleanLike()
  only_db = false;
}

class ConfigurationChangeBody {
  @Describe('The group of the setting.')
  @RequiredText({ max: MAX_NAME })
  group: string;
  @Describe('The name of the setting in its group.')
  @RequiredText({ max: MAX_NAME })
  key: string;
  @Describe('The new value; needed unless the setting is reset.')
  @AnyJson()
  value?: unknown;
  @Describe('Whether to reset the setting to its default.')
  @BooleanLike()
  delete = false;
  @Describe('The parts of the value to reset.')
  @TextList({ max: MAX_ITEMS, maxLength: MAX_NAME })
  subkeys?: readonly string[];
}

export class ConfigurationBody {
  @Describe('The settings to change.')
  @NestedList(() => ConfigurationChangeBody, { max: MAX_ITEMS, required: true })
  configs: readonly ConfigurationChangeBody[];
}
