import { ForwardOnly } from '../forward-only.js';

/** The form of roles that was chosen for every app becomes a list of apps; `object` is what others have anyway. */
export class ReferenceShapes1764000210000 extends ForwardOnly {
  readonly name = 'ReferenceShapes1764000210000';
  protected readonly statements = `
    update config_items set group_name = 'apps', key = 'reference_shapes', value = '["*"]', updated_at = now()
    where group_name = 'instance' and key = 'account_roles_shape' and value in ('"array"', '"absent"');
    delete from config_items where group_name = 'instance' and key = 'account_roles_shape';
  `;
}
