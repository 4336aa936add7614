import { AnyJson, BooleanLike, NestedList, RequiredText, TextList } from '../../common/index.js';

const MAX_NAME = 200;
const MAX_ITEMS = 1_000;

export class ConfigurationQuery {
  @BooleanLike() only_db = false;
}

class ConfigurationChangeBody {
  @RequiredText({ max: MAX_NAME }) group: string;
  @RequiredText({ max: MAX_NAME }) key: string;
  /** In the form of the configuration API; needed unless the item is deleted. */
  @AnyJson() value?: unknown;
  @BooleanLike() delete = false;
  @TextList({ max: MAX_ITEMS, maxLength: MAX_NAME }) subkeys?: readonly string[];
}

export class ConfigurationBody {
  @NestedList(() => ConfigurationChangeBody, { max: MAX_ITEMS, required: true })
  configs: readonly ConfigurationChangeBody[];
}
