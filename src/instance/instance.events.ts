/** A rule was added, changed or taken away. */
export class RulesChanged {
  static readonly type = 'instance.rules-changed';
}
